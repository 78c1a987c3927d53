/** For each code of lint, definitions that are wrong and what is right. */
import { type LintCode } from '../../src/pipelines/finding.ts'
import { pipeline, stage } from './definitions.ts'

export type Files = Record<string, string | Uint8Array>

const head = 'name: my\ndescription: d\n'
export const my = (yaml: string, prompt: string | null = 'Do it.\n'): Files => stage('my', `${head}${yaml}\n`, prompt)
export const fixed = 'completion: fixed-n\nruns: 2'
export const flow = (...stages: string[]): Files =>
  pipeline('my', `${head}stages:\n${stages.map((each) => `  - ${each}\n`).join('')}`)
export const inline = (name: string, prompt: string): string =>
  `name: ${name}\n    prompt: |\n      Begin.\n      ${prompt}`
export const each = (items = '[a]'): Files => my(`completion: all-items\nitems: ${items}`, '${ITEM}')
const stageFile = '.looper/stages/my/stage.yaml'
const promptFile = '.looper/stages/my/prompt.md'
const flowFile = '.looper/pipelines/my.yaml'

/** For each code: a wrong definition, where it is reported, and a right one. */
export const cases: Record<LintCode, { wrong: Files; at: string; right: Files }[]> = {
  P001: [
    { wrong: { [stageFile]: new Uint8Array([0xff]) }, at: `${stageFile}:1`, right: my(fixed) },
    {
      wrong: my('completion: all-items\nitems_from: no.txt', '${ITEM}'),
      at: `${stageFile}:4`,
      right: { ...my('completion: all-items\nitems_from: a.txt', '${ITEM}'), 'a.txt': 'a' },
    },
  ],
  P002: [
    {
      wrong: my('completion: all-items\nitems_from: /etc/hosts', '${ITEM}'),
      at: `${stageFile}:4`,
      right: my('completion: all-items\nitems: [a]', '${ITEM}'),
    },
  ],
  P003: [{ wrong: my('completion: [fixed-n'), at: `${stageFile}:4`, right: my(fixed) }],
  P004: [
    { wrong: my(`${fixed}\ncompletions: plateau`), at: `${stageFile}:5`, right: my(fixed) },
    { wrong: flow('stage: work\n    loops: work'), at: `${flowFile}:5`, right: flow('stage: work') },
    {
      wrong: pipeline('my', `${head}steps: []\nstages:\n  - stage: work\n`),
      at: `${flowFile}:3`,
      right: flow('stage: work'),
    },
  ],
  P005: [
    { wrong: my('completion: plato\nruns: 2'), at: `${stageFile}:3`, right: my('completion: plateau\nruns: 2') },
    {
      wrong: my(`${fixed}\noutput_parse: PLATEAU`),
      at: `${stageFile}:5`,
      right: my(`${fixed}\noutput_parse: plateau:PLATEAU`),
    },
  ],
  P006: [
    { wrong: my(`${fixed}\nmax_iterations: 3`), at: `${stageFile}:5`, right: my(fixed) },
    { wrong: my(`${fixed}\nruns: 3`), at: `${stageFile}:5`, right: my(fixed) },
    {
      wrong: my('completion: plateau\nmin_iterations: 2\nminIterations: 3'),
      at: `${stageFile}:5`,
      right: my('completion: plateau\nmin_iterations: 2'),
    },
    {
      wrong: my('completion: all-items\nitems: [a]\nitems_from: b', '${ITEM}'),
      at: `${stageFile}:4`,
      right: my('completion: all-items\nitems: [a]', '${ITEM}'),
    },
  ],
  P007: [
    { wrong: stage('my', `name: a/b\ndescription: d\n${fixed}`), at: `${stageFile}:1`, right: my(fixed) },
    { wrong: flow('name: a b\n    stage: work'), at: `${flowFile}:4`, right: flow('name: a-b\n    stage: work') },
    { wrong: flow('name: valueOf\n    stage: work'), at: `${flowFile}:4`, right: flow('name: value\n    stage: work') },
  ],
  P008: [
    {
      wrong: stage('my', `name: yours\ndescription: d\n${fixed}`),
      at: `${stageFile}:1`,
      right: stage('my', `description: d\n${fixed}`),
    },
  ],
  P009: [
    { wrong: stage('my', fixed), at: `${stageFile}:1`, right: my(fixed) },
    { wrong: pipeline('my', 'stages:\n  - stage: work\n'), at: `${flowFile}:1`, right: flow('stage: work') },
  ],
  P010: [
    { wrong: my(fixed, null), at: `${stageFile}:1`, right: my(fixed) },
    { wrong: my(fixed, ' \n\n'), at: `${promptFile}:1`, right: my(fixed) },
    { wrong: my(`${fixed}\nprompt: no.md`), at: `${stageFile}:5`, right: my(`${fixed}\nprompt: yes`) },
  ],
  P011: [{ wrong: my('runs: 2'), at: `${stageFile}:1`, right: flow(inline('one', 'It needs none.')) }],
  P012: [
    { wrong: my('completion: until'), at: `${stageFile}:3`, right: my('completion: until\nuntil: npm test') },
    {
      wrong: my('completion: all-items', '${ITEM}'),
      at: `${stageFile}:3`,
      right: my('completion: all-items\nitems: [a]', '${ITEM}'),
    },
    {
      wrong: flow('stage: idea-wizard\n    completion: until'),
      at: `${flowFile}:5`,
      right: flow('name: a\n    prompt: x\n    completion: until\n    until: "true"'),
    },
  ],
  P013: [
    {
      wrong: my('completion: all-items\nitems: []', '${ITEM}'),
      at: `${stageFile}:4`,
      right: my('completion: all-items\nitems: a', '${ITEM}'),
    },
    {
      wrong: { ...my('completion: all-items\nitems_from: a.txt', '${ITEM}'), 'a.txt': '\n \n' },
      at: `${stageFile}:4`,
      right: { ...my('completion: all-items\nitems_from: a.txt', '${ITEM}'), 'a.txt': 'a' },
    },
    {
      wrong: { ...each(), ...flow('stage: my\n    items_from: a.txt'), 'a.txt': '' },
      at: `${flowFile}:5`,
      right: { ...each('[]'), ...flow('stage: my\n    items_from: a.txt'), 'a.txt': 'a' },
    },
  ],
  P014: [
    {
      wrong: {
        ...each(),
        ...flow('stage: my\n    completion: fixed-n\n    runs: 1\n    items_from: a.txt\n    prompt: x'),
        'a.txt': 'a',
      },
      at: `${flowFile}:7`,
      right: { ...each(), ...flow('stage: my\n    items_from: a.txt'), 'a.txt': 'a' },
    },
    {
      wrong: my(`${fixed}\nitems: [a]`),
      at: `${stageFile}:5`,
      right: my('completion: all-items\nitems: [a]', '${ITEM}'),
    },
    { wrong: { ...my(`${fixed}\nitems_from: a.txt`), 'a.txt': 'a' }, at: `${stageFile}:5`, right: my(fixed) },
    { wrong: my(`${fixed}\nuntil: "true"`), at: `${stageFile}:5`, right: my('completion: until\nuntil: "true"') },
    { wrong: my(`${fixed}\nconfidence: 1`), at: `${stageFile}:5`, right: my('completion: judge\nconfidence: 1') },
    {
      wrong: my('completion: beads-empty\nsource: beads'),
      at: `${stageFile}:4`,
      right: my('completion: tasks-empty\nsource: beads'),
    },
    {
      wrong: my(`${fixed}\nmin_iterations: 1`),
      at: `${stageFile}:5`,
      right: my('completion: plateau\nmin_iterations: 1'),
    },
    {
      wrong: flow('stage: idea-wizard\n    until: "true"'),
      at: `${flowFile}:5`,
      right: flow('stage: improve-plan\n    completion: fixed-n\n    runs: 1'),
    },
  ],
  P015: [
    {
      wrong: my('completion: plateau\noutput_parse: reasoning:REASONING'),
      at: `${stageFile}:4`,
      right: my('completion: plateau\noutput_parse: reasoning:WHY plateau:PLATEAU'),
    },
  ],
  P016: [
    {
      wrong: my('completion: plateau\nruns: 3\nmin_iterations: 4'),
      at: `${stageFile}:4`,
      right: my('completion: plateau\nruns: 3\nmin_iterations: 3'),
    },
    {
      wrong: flow('stage: improve-plan\n    runs: 1'),
      at: `${flowFile}:5`,
      right: flow('stage: improve-plan\n    runs: 2'),
    },
  ],
  P017: [
    { wrong: my('completion: plateau\nruns: 1'), at: `${stageFile}:4`, right: my('completion: plateau\nruns: 2') },
  ],
  P018: [{ wrong: my('completion: fixed-n'), at: `${stageFile}:3`, right: my(fixed) }],
  P019: [
    {
      wrong: my('completion: all-items\nitems: [a, b]\nruns: 1', '${ITEM}'),
      at: `${stageFile}:5`,
      right: my('completion: all-items\nitems: [a, b]\nruns: 2', '${ITEM}'),
    },
  ],
  P020: [
    {
      wrong: my('completion: beads-empty\ncheck_before: true'),
      at: `${stageFile}:4`,
      right: my('completion: beads-empty'),
    },
  ],
  P021: [
    {
      wrong: my(fixed, 'Do it\nfor ${SESION}.'),
      at: `${promptFile}:2`,
      right: my(fixed, 'Do it\nfor ${SESSION} and $${SESION}.'),
    },
    {
      wrong: flow(inline('one', '${FOO}')),
      at: `${flowFile}:7`,
      right: flow(inline('one', '${ITERATION} ${INDEX} ${GOAL} ${PROGRESS}')),
    },
  ],
  P022: [
    {
      wrong: my('completion: all-items\nitems: [a]'),
      at: `${promptFile}:1`,
      right: my('completion: all-items\nitems: [a]', '${ITEM}'),
    },
  ],
  P023: [
    {
      wrong: my(`${fixed}\nperspectives: [a]`),
      at: `${stageFile}:5`,
      right: my(`${fixed}\nperspectives: [a]`, '${PERSPECTIVE}'),
    },
  ],
  P024: [
    { wrong: my(fixed, '\n${ITEM}'), at: `${promptFile}:2`, right: my('completion: all-items\nitems: [a]', '${ITEM}') },
    {
      wrong: my(fixed, '${PERSPECTIVE}'),
      at: `${promptFile}:1`,
      right: my(`${fixed}\nperspectives: [a]`, '${PERSPECTIVE}'),
    },
    { wrong: my(fixed, '${TASK}'), at: `${promptFile}:1`, right: my('completion: beads-empty', '${TASK}') },
  ],
  P030: [
    { wrong: pipeline('my', head), at: `${flowFile}:1`, right: flow('stage: work') },
    { wrong: pipeline('my', `${head}stages: []\n`), at: `${flowFile}:3`, right: flow('stage: work') },
  ],
  P031: [{ wrong: flow('name: x\n    stage: wrok'), at: `${flowFile}:5`, right: flow('name: x\n    stage: work') }],
  P032: [
    { wrong: flow('name: work'), at: `${flowFile}:4`, right: flow('name: work\n    stage: work') },
    { wrong: flow('runs: 3'), at: `${flowFile}:4`, right: flow('runs: 3\n    stage: work') },
  ],
  P033: [
    {
      wrong: flow('stage: work', 'stage: work'),
      at: `${flowFile}:5`,
      right: flow('stage: work', 'name: again\n    stage: work'),
    },
    {
      wrong: flow('stage: work', 'name: work\n    prompt: x'),
      at: `${flowFile}:5`,
      right: flow('stage: work', 'name: other\n    prompt: x'),
    },
  ],
  P034: [
    {
      wrong: flow(inline('one', '${INPUTS}')),
      at: `${flowFile}:7`,
      right: flow('stage: work', inline('one', '${INPUTS}')),
    },
  ],
  P035: [
    {
      wrong: flow('stage: work', inline('two', '${INPUTS.wrok}')),
      at: `${flowFile}:8`,
      right: flow('stage: work', inline('two', '${INPUTS.work}')),
    },
    {
      wrong: flow(inline('one', '${INPUTS.two}'), inline('two', 'x')),
      at: `${flowFile}:7`,
      right: flow(inline('one', 'x'), inline('two', '${INPUTS.one}')),
    },
    { wrong: flow(inline('one', '${INPUTS.one}')), at: `${flowFile}:7`, right: flow(inline('one', 'x')) },
  ],
  P036: [
    {
      wrong: flow(inline('one', '${OUTPUT}'), inline('two', 'x')),
      at: `${flowFile}:7`,
      right: flow(inline('one', '${OUTPUT}'), inline('two', '${INPUTS}')),
    },
    {
      wrong: flow(inline('one', '${OUTPUT}'), inline('two', 'x'), inline('three', '${INPUTS}')),
      at: `${flowFile}:7`,
      right: flow(inline('one', '${OUTPUT}'), inline('two', 'x'), inline('three', '${INPUTS.one} ${OUTPUT}')),
    },
  ],
  P037: [
    {
      wrong: flow('stage: work', 'name: b\n    stage: work\n    source: beads'),
      at: `${flowFile}:7`,
      right: flow('stage: work', 'name: b\n    stage: work'),
    },
    {
      wrong: flow('stage: work', 'name: b\n    stage: work\n    completion: beads-empty'),
      at: `${flowFile}:7`,
      right: flow('stage: work\n    completion: beads-empty', 'name: b\n    stage: work\n    source: beads'),
    },
    {
      wrong: { ...flow('stage: work', 'stage: my'), ...my('completion: beads-empty') },
      at: `${flowFile}:5`,
      right: { ...flow('stage: my'), ...my('completion: beads-empty') },
    },
  ],
}
