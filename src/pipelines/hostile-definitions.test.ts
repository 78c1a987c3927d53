import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { pipeline, projectWith, stage } from '../../test/kit/definitions.ts'
import { refused } from '../../test/kit/loaded-stages.ts'
import { loadPipeline } from './load-pipeline.ts'

describe('hostile definitions are refused with their place', () => {
  const all = (
    yaml: string,
    files: Record<string, string | Uint8Array> = {},
    prompt: string | null = '${ITEM}',
  ): string =>
    refused(() =>
      loadPipeline(
        'my',
        projectWith({ ...stage('my', `description: d\ncompletion: all-items\n${yaml}\n`, prompt), ...files }),
      ),
    )
  const at = '.looper/stages/my/stage.yaml'

  test.each([
    ['items_from: ../secret', `${at}:3: "../secret" leads out of the project [P002]`],
    ['items_from: /etc/passwd', `${at}:3: "/etc/passwd" leads out of the project [P002]`],
    [
      'items_from: ../../../../../../../../etc/passwd',
      `${at}:3: "../../../../../../../../etc/passwd" leads out of the project [P002]`,
    ],
    ['items_from: .looper', `${at}:3: ".looper" is a folder, not a file [P001]`],
    ['items_from: "a\\0b"', `${at}:3: "items_from" must be a text, not "ab" [P005]`],
    [`items_from: ${'x'.repeat(5_000)}`, `${at}:3: "${'x'.repeat(59)}…" has too long a name [P001]`],
    ['items_from: bytes', `${at}:3: "bytes" is not UTF-8 [P001]`],
    ['items_from: huge', `${at}:3: "huge" is larger than 4096 kB [P001]`],
    ['items_from: many', `${at}:3: "many" has more than 10000 items [P005]`],
    [
      'items: [a]\nprompt: ../../../../../../../../etc/hosts.md',
      `${at}:4: the prompt hosts.md leads out of the project [P002]`,
    ],
    ['items: [a]\nprompt: /etc/hosts.md', `${at}:4: the prompt hosts.md leads out of the project [P002]`],
    [
      'items: [a]\nname: ../x',
      `${at}:4: "../x" is no name: letters, digits, ".", "_" and "-", beginning with a letter or a digit, at most 64 [P007]`,
    ],
    ['items: [a]\n__proto__: { polluted: true }', `${at}:4: unknown key "__proto__" [P004]`],
    ['items: [a]\nconstructor: x', `${at}:4: unknown key "constructor" [P004]`],
    ['items: [a]\ntoString: x', `${at}:4: unknown key "toString" [P004]`],
    ['items: [a]\n<<: { runs: 3 }', `${at}:4: unknown key "<<" [P004]`],
    ['items: [a]\n"x\\e[2Jy": 1', `${at}:4: unknown key "xy" [P004]`],
    ['items: [[a]]', `${at}:3: "items" must be a list of texts, not a list [P005]`],
    ['items: [a]\nruns: 1e9', `${at}:4: "runs" must be a whole number from 1 to 10000, not "1e9" [P005]`],
    ['items: [a]\nruns: .inf', `${at}:4: "runs" must be a whole number from 1 to 10000, not ".inf" [P005]`],
    ['items: [a]\ndelay: -1', `${at}:4: "delay" must be a number from 0 to 86400, not "-1" [P005]`],
    ['items: [a]\ndelay: .nan', `${at}:4: "delay" must be a number from 0 to 86400, not ".nan" [P005]`],
  ])('%#', (yaml, message) => {
    const files = {
      bytes: new Uint8Array([0xc3, 0x28]),
      huge: 'x'.repeat(4 * 1024 * 1024 + 1),
      many: 'x\n'.repeat(10_001),
    }
    expect(all(yaml, files)).toBe(message)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  test.each([
    ['larger than 256 kB', `description: ${'x'.repeat(256 * 1024)}\n`, 'the file is larger than 256 kB [P001]'],
    ['not UTF-8', new Uint8Array([0xff, 0xfe]), 'the file is not UTF-8 [P001]'],
    ['empty', '', 'a definition is a map of keys [P003]'],
    ['a list', '- a\n', 'a definition is a map of keys [P003]'],
    ['aliases', 'a: &a [b]\nb: *a\n', 'aliases like *a are not read here; write it out [P003]'],
    ['nested', '['.repeat(100_000), 'nested too deeply [P003]'],
  ])('a file that is %s', (_name, content, message) => {
    const [place, ...told] = refused(() =>
      loadPipeline('my', projectWith({ '.looper/stages/my/stage.yaml': content })),
    ).split(': ')
    expect(place).toMatch(/^\.looper\/stages\/my\/stage\.yaml:\d$/)
    expect(told.join(': ')).toBe(message)
  })

  test('links that lead out of the project: prompt, items, the stage itself', () => {
    const outside = projectWith({
      'secret.md': 'secret ${ITEM}',
      'stage/stage.yaml': 'description: d\ncompletion: fixed-n\nruns: 1\n',
      'stage/prompt.md': 'x',
    })
    const where = projectWith({
      ...stage('my', 'description: d\ncompletion: all-items\nitems: [a]\n', null),
      ...stage('it', 'description: d\ncompletion: all-items\nitems_from: in\n', '${ITEM}'),
    })
    symlinkSync(join(outside.root, 'secret.md'), join(where.root, '.looper/stages/my/prompt.md'))
    symlinkSync(join(outside.root, 'secret.md'), join(where.root, 'in'))
    symlinkSync(join(outside.root, 'stage'), join(where.root, '.looper/stages/far'))
    expect(refused(() => loadPipeline('my', where))).toBe(
      `${at}:1: the prompt prompt.md leads out of the project [P002]`,
    )
    expect(refused(() => loadPipeline('it', where))).toBe(
      '.looper/stages/it/stage.yaml:3: "in" leads out of the project [P002]',
    )
    expect(refused(() => loadPipeline('far', where))).toBe(
      '.looper/stages/far/stage.yaml:1: the file leads out of the project [P002]',
    )
  })

  test('a link in a circle, a pipe', () => {
    const where = projectWith({ ...stage('my', 'description: d\ncompletion: fixed-n\nruns: 1\n', null) })
    const prompt = join(where.root, '.looper/stages/my/prompt.md')
    execFileSync('sh', ['-c', 'mkfifo "$0"', prompt])
    expect(refused(() => loadPipeline('my', where))).toBe(`${at}:1: the prompt prompt.md is not a regular file [P001]`)
    mkdirSync(join(where.root, '.looper/stages/o'))
    symlinkSync('o.yaml', join(where.root, 'o.yaml'))
    writeFileSync(
      join(where.root, '.looper/stages/o/stage.yaml'),
      'description: d\ncompletion: all-items\nitems_from: o.yaml\nprompt: x ${ITEM}\n',
    )
    expect(refused(() => loadPipeline('o', where))).toBe(
      '.looper/stages/o/stage.yaml:3: "o.yaml" is a symbolic link that goes in circles [P001]',
    )
  })

  test.each([
    [
      'a hundred and one stages',
      `description: d\nstages:\n${'  - { stage: work }\n'.repeat(101)}`,
      ':2: more than 100 stages [P005]',
    ],
    ['a stage by a path', 'description: d\nstages:\n  - stage: ../../etc\n', ':3: "../../etc" is no name'],
    [
      'a stage that is no map',
      'description: d\nstages:\n  - work\n',
      ':3: a stage is a map with "name" and "stage" [P005]',
    ],
    ['stages that are no list', 'description: d\nstages: work\n', ':2: "stages" must be a list of stages [P005]'],
  ])('%s', (_name, yaml, message) => {
    expect(refused(() => loadPipeline('flow', projectWith(pipeline('flow', yaml))))).toContain(
      `.looper/pipelines/flow.yaml${message}`,
    )
  })

  test('of several mistakes, the first is reported and the others are counted', () => {
    expect(all('itmes: [a]\nruns: no\nfoo: 1')).toBe(
      `${at}:3: unknown key "itmes" (did you mean "items"?) [P004] (and 2 more)`,
    )
  })
})
