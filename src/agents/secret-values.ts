/** Selects the values of an environment that must never be stored, shown, sent or landed. */
import { existsSync } from 'node:fs'
import { isObject } from '../model/object.ts'

export type Variables = Readonly<Record<string, string | undefined>>

export interface Secret {
  /** The variable that contains the secret. */
  name: string
  value: string
}

/** Masking shorter values would damage ordinary text. */
export const minSecretChars = 6

const tellingEnd =
  /(?:^|_)(?:\w*(?:KEY|TOKEN|SECRET|CREDENTIAL)S?|\w*(?:PASSW(?:OR)?D|PASSPHRASE)|PASS|PAT|AUTH|DSN|JWT)$/i
const tellingPart = /SECRET|PASSWORD|._PWD$|CONNECTION_?STRING|_COOKIE$/i
const publicKey = /PUBLIC_?KEYS?$/i

/** Whether the name of a variable indicates a secret. */
export const suggestsSecret = (name: string): boolean =>
  (tellingEnd.test(name) || tellingPart.test(name)) && !publicKey.test(name)

/** Values that occur in any text. Masking them would hide useful text and protect nothing. */
const common = new Set([
  'enabled',
  'disabled',
  'default',
  'unknown',
  'undefined',
  'required',
  'optional',
  'private',
  'public',
  'internal',
  'localhost',
  'development',
  'production',
  'staging',
  'testing',
  'example',
  'sample',
  'placeholder',
  'changeme',
  'change-me',
  'change_me',
  'password',
  'passwd',
  'passphrase',
  'secret',
  'secrets',
  'credentials',
  'api-key',
  'api_key',
  'apikey',
  'access',
  'client',
  'server',
  'postgres',
  'postgresql',
  'mongodb',
  'rabbitmq',
  'sqlite',
  'database',
  'myuser',
  'mysecret',
  'mypassword',
  'string',
  'number',
  'boolean',
  'object',
  'master',
  'system',
  'administrator',
  'username',
  'keychain',
  'keyring',
  'osxkeychain',
  'libsecret',
  'x-access-token',
  'x-oauth-basic',
  'bearer',
  'anonymous',
  'nobody',
  'service',
  'github',
  'gitlab',
  'docker',
  'redacted',
])

const isOrdinary = (value: string): boolean =>
  value.length < minSecretChars || common.has(value.toLowerCase()) || /^(.)\1*$/su.test(value)

/** Values that are not secret although the name indicates one: a common word, a small number or an existing path. */
const isHarmless = (value: string): boolean =>
  isOrdinary(value) || /^[\d.,]{1,9}$/.test(value) || (/^(?:~|\.{1,2})?\//.test(value) && existsSync(value))

const tokenShapes = new RegExp(
  [
    String.raw`\bsk-[\w-]{16,}`,
    String.raw`\bgh[pousr]_\w{20,}`,
    String.raw`\bgithub_pat_\w{20,}`,
    String.raw`\bglpat-[\w-]{16,}`,
    String.raw`\bxox[abposr]-[\w-]{10,}`,
    String.raw`\bAKIA[A-Z\d]{16}\b`,
    String.raw`\bAIza[\w-]{30,}`,
    String.raw`\bnpm_\w{30,}`,
    String.raw`\bhf_\w{30,}`,
    String.raw`\bpypi-[\w-]{30,}`,
    String.raw`\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*`,
  ].join('|'),
  'g',
)
const bearer = /\b(?:Bearer|Basic)\s+([\w.~+/=-]{8,})/gi
const assignment = new RegExp(
  String.raw`(?:^|[;&?\s,{:])"?\w*(?:password|passwd|pwd|token|secret|(?:access|account|api)_?key|signature)"?`
    + String.raw`[=:]\s*"?([^;&\s",}]+)`,
  'gi',
)
/** Matches up to the last `@` of the authority, because people forget to encode one in a password. */
const userinfo = /[a-z][a-z\d+.-]*:\/\/([^\s/?#]+)@/gi
const driverDsn = /^([^\s:/@]+:[^\s@]+)@\w*\(/

/** `names`: variables that the configuration declares secret; `!NAME` declares one not secret, whatever its name. */
export function secretValues(variables: Variables, names: readonly string[]): Secret[] {
  const named = new Set(names.filter((name) => !name.startsWith('!')))
  const exempt = new Set(names.filter((name) => name.startsWith('!')).map((name) => name.slice(1)))
  const found: Secret[] = []
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined || exempt.has(name)) continue
    const values = new Set([...wholeValue(name, value, named), ...credentialsIn(value)])
    found.push(...[...values].map((each) => ({ name, value: each })))
  }
  return found
}

function wholeValue(name: string, value: string, named: ReadonlySet<string>): string[] {
  const trimmed = value.trim()
  const isHidden = named.has(name) ? !isOrdinary(trimmed) : suggestsSecret(name) && !isHarmless(trimmed)
  return isHidden ? [value, trimmed, ...linesOf(trimmed), ...membersOf(trimmed)] : []
}

/** Lines of a key or settings file, and the tokens in them, because programs print them one by one. */
function linesOf(value: string): string[] {
  const lines = value.split('\n').map((line) => line.trim())
  if (lines.length === 1) return []
  const whole = lines.filter((line) => /^[\w+/=-]{20,}$/.test(line))
  return [...whole, ...lines.flatMap((line) => line.split(/[\s"'`=:,;|<>(){}[\]]+/)).filter(isToken)]
}

/** No word and no name: letters with digits, or with capitals within. */
const isToken = (text: string): boolean =>
  text.length >= 12
  && /[A-Za-z]/.test(text)
  && (/\d/.test(text) || /[a-z][A-Z].*[a-z][A-Z]/.test(text))
  && !isAddress(text)

/** `registry.example.org`, `/usr/lib/x86_64`, `key-2026.pem`: printed often, and not secret. */
const isAddress = (text: string): boolean => /^[\w@~-]*(?:[./][\w@~-]*)+$/.test(text) && !/[\w-]{20,}/.test(text)

/** Credentials are often stored as one JSON object. */
function membersOf(value: string): string[] {
  if (!value.startsWith('{')) return []
  try {
    const parsed: unknown = JSON.parse(value)
    if (!isObject(parsed)) return []
    return Object.entries(parsed).flatMap(([name, member]) =>
      typeof member === 'string' && suggestsSecret(name) && !isHarmless(member) ? [member, ...linesOf(member)] : [],
    )
  } catch {
    return []
  }
}

/** Finds credentials in the value of any variable: in a URL, a header, a list of settings, or by shape. */
export function credentialsIn(value: string): string[] {
  const said = [
    ...(value.match(tokenShapes) ?? []),
    ...[...value.matchAll(bearer)].flatMap(([, token]) => token ?? []),
    ...[...value.matchAll(assignment)].flatMap(([, assigned = '']) => (/^[\d.]{1,9}$/.test(assigned) ? [] : assigned)),
    ...[...value.matchAll(userinfo)].flatMap(([, info]) => fromUserinfo(info ?? '')),
    ...fromUserinfo(driverDsn.exec(value)?.[1] ?? ''),
  ]
  return said.filter((each) => !isOrdinary(each))
}

/** A password is a secret alone and with its user; a user without a password is one only when it looks like a token. */
function fromUserinfo(info: string): string[] {
  const colon = info.indexOf(':')
  const [user, password] = colon < 0 ? [info, ''] : [info.slice(0, colon), info.slice(colon + 1)]
  const token = /^(?=.*\d)[\w.~%-]{16,}$/.test(user) ? both(user) : []
  if (password.length < 3 || common.has(password.toLowerCase())) return token
  const pair = colon > 0 && info.length >= 8 ? both(info) : []
  return [...both(password), ...pair, ...token]
}

const both = (text: string): string[] => [text, decoded(text)]

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
