/** Properties of the mask: no spelling of a secret survives it, and text without secrets does not change. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMask } from './mask.ts'
import { secretValues } from './secret-values.ts'

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
const chars = (of: string, min: number, max: number) =>
  fc.array(fc.constantFrom(...of.split('')), { minLength: min, maxLength: max }).map((list) => list.join(''))
/** Characters of real tokens and passwords, including those that encodings change. */
const value = fc
  .tuple(chars(letters, 4, 20), chars(`${letters}-_.~+/=&?%#@: "'\\<>$äß€`, 3, 40), chars(letters, 4, 20))
  .map((parts) => parts.join(''))
const surrounding = chars(' \n\t{}[]();,|äö€', 0, 40)
const bytes = chars(letters, 0, 50)

const wrap = (text: string, width: number): string => text.replace(new RegExp(`.{${width}}`, 'g'), '$&\n')
const encodings: Record<string, (secret: string, before: string, after: string) => string> = {
  raw: (secret) => secret,
  JSON: (secret) => JSON.stringify(secret),
  'JSON in JSON': (secret) => JSON.stringify(JSON.stringify({ output: secret })),
  base64: (secret) => Buffer.from(secret).toString('base64'),
  'base64 in longer base64': (secret, before, after) => Buffer.from(`${before}${secret}${after}`).toString('base64'),
  'URL-safe base64': (secret, before, after) => Buffer.from(`${before}${secret}${after}`).toString('base64url'),
  'basic authentication': (secret, before) =>
    `Authorization: Basic ${Buffer.from(`${before}:${secret}`).toString('base64')}`,
  'percent-encoded': (secret) => encodeURIComponent(secret),
  'percent-encoded in small letters': (secret) =>
    encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase()),
  'a form': (secret) => new URLSearchParams({ a: secret }).toString(),
  'the userinfo of an address': (secret, before) => `https://${before}:${encodeURIComponent(secret)}@example.org/`,
  hexadecimal: (secret) => Buffer.from(secret).toString('hex'),
  HEXADECIMAL: (secret) => Buffer.from(secret).toString('hex').toUpperCase(),
}

/** Every text that a reader could decode from this one. */
function readable(text: string): string[] {
  const tries = [text, text.replaceAll('+', ' ')]
  const percent = (piece: string): string =>
    piece.replace(/(?:%[\da-f]{2})+/gi, (codes) => Buffer.from(codes.replaceAll('%', ''), 'hex').toString())
  const encoded = text.match(/[\w+/=-]{6,}/g) ?? []
  const shifted = encoded.flatMap((piece) =>
    [0, 1, 2, 3].map((start) => Buffer.from(piece.slice(start), 'base64').toString()),
  )
  const hex = encoded.map((piece) => Buffer.from(piece, 'hex').toString())
  return [...tries, ...tries.map(percent), ...shifted, ...hex]
}

for (const [name, encode] of Object.entries(encodings)) {
  test(`a secret in ${name} is masked in any text`, () => {
    fc.assert(
      fc.property(value, surrounding, surrounding, bytes, bytes, (secret, before, after, lead, rest) => {
        const mask = createMask({ MY_TOKEN: secret }, [])
        const masked = mask(`${before}${encode(secret, lead, rest)}${after}`)
        expect(masked).toContain('[MY_TOKEN]')
        for (const text of readable(masked)) expect(text.includes(secret)).toBe(false)
      }),
    )
  })
}

test('base64 that is broken into lines is masked', () => {
  const long = chars(letters, 24, 60)
  fc.assert(
    fc.property(
      long,
      bytes,
      bytes,
      fc.constantFrom(64, 76),
      fc.constantFrom('\n', '\r\n', '\\n'),
      (secret, lead, rest, width, end) => {
        const text = wrap(Buffer.from(`${lead}${secret}${rest}`).toString('base64'), width).replaceAll('\n', end)
        const masked = createMask({ MY_TOKEN: secret }, [])(text)
        expect(masked).toContain('[MY_TOKEN]')
        const joined = masked.replace(/\r?\n|\\n/g, '')
        for (const piece of joined.split(/\[MY_TOKEN\]/)) {
          for (const start of [0, 1, 2, 3])
            expect(Buffer.from(piece.slice(start), 'base64').toString().includes(secret)).toBe(false)
        }
      },
    ),
  )
})

test('several secrets in one text are masked, also where one is part of another', () => {
  const texts = fc.array(
    fc.oneof(fc.constantFrom('alpha-secret-1', 'alpha-secret-1-long', 'other+secret/2', 'x'), surrounding),
  )
  const env = { A_TOKEN: 'alpha-secret-1', B_TOKEN: 'alpha-secret-1-long', C_TOKEN: 'other+secret/2' }
  const mask = createMask(env, [])
  fc.assert(
    fc.property(texts, (parts) => {
      const masked = mask(parts.join(''))
      for (const secret of Object.values(env)) expect(masked.includes(secret)).toBe(false)
      expect(mask(masked)).toBe(masked)
    }),
  )
})

test('text without secrets stays as it is', () => {
  const mask = createMask({ MY_TOKEN: 'qzx-0123456789-never-said', DB_URL: 'postgres://app:n0t-in-any-text@db/x' }, [])
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      expect(mask(text)).toBe(text)
    }),
  )
})

test('ordinary values are no secrets, whatever their variable is called', () => {
  const env = {
    A_TOKEN: 'true',
    B_KEY: '12345',
    C_PASSWORD: 'postgres',
    D_SECRET: 'changeme',
    E_TOKEN: '200000',
    F_KEY: '',
    G_CREDENTIALS: '/tmp',
    PWD: '/some/where/else',
    OLDPWD: '/some/where',
    SSH_PUBLIC_KEY: 'ssh-ed25519 AAAAC3Nza me@here',
    H_PASS: '******',
    EDITOR: 'emacs-nox',
    DATABASE_URL: 'postgres://postgres:postgres@localhost:5432/app',
  }
  expect(secretValues(env, [])).toEqual([])
})

test.each<[string, Record<string, string>, string[]]>([
  [
    'a password in an address',
    { DATABASE_URL: 'postgres://app:s3cr3t-pw@db:5432/app' },
    ['s3cr3t-pw', 'app:s3cr3t-pw'],
  ],
  ['an encoded password', { REDIS_URL: 'redis://:p%40ssw0rd@h' }, ['p%40ssw0rd', 'p@ssw0rd']],
  ['a short password with its user', { ANY: 'https://deploy:ab12@host/' }, ['deploy:ab12']],
  ['a token as user', { REMOTE: 'https://0123456789abcdef0123@git.example.org/x' }, ['0123456789abcdef0123']],
  [
    'a DSN of a driver',
    { MY_DSN: 'root:hunter22@tcp(db:3306)/x' },
    ['root:hunter22@tcp(db:3306)/x', 'hunter22', 'root:hunter22'],
  ],
  ['a connection string', { STORE: 'AccountName=me;AccountKey=abc123def456==;Suffix=x' }, ['abc123def456==']],
  ['a header', { EXTRA_HEADERS: 'X-A: b\nAuthorization: Bearer abc.def-123' }, ['abc.def-123']],
  ['a token by its shape', { WHATEVER: 'ghp_0123456789abcdefghij0123' }, ['ghp_0123456789abcdefghij0123']],
  ['*_PASS', { SMTP_PASS: 'hunter22' }, ['hunter22']],
  ['*_PWD', { MYSQL_PWD: 'hunter22' }, ['hunter22']],
  [
    '*_CREDENTIALS',
    { GCP_CREDENTIALS: '{"private_key":"abc-def-123"}' },
    ['{"private_key":"abc-def-123"}', 'abc-def-123'],
  ],
])('%s is a secret', (_what, env, values) => {
  expect(secretValues(env, []).map(({ value: found }) => found)).toEqual(values)
})

test('a variable may be named as one, or as none', () => {
  const env = { PLAIN: 'something-else', PAGE_KEY: 'page-1234' }
  expect(secretValues(env, ['PLAIN', '!PAGE_KEY'])).toEqual([{ name: 'PLAIN', value: 'something-else' }])
})
