/** plan.md: the plan with its check boxes. The first line has the status, for readers of that line only. */
import { isDone } from '../../model/split-tasks.ts'
import type { RunState, TaskState } from '../../model/state.ts'
import { mdLine } from '../text/markdown.ts'
import { permissionText } from '../facts/permission-text.ts'
import { facts, isOlder, isUnproven, tally, taskTree } from '../facts/progress.ts'

export const statusFirstLine = (state: RunState): string => {
  const { done, total } = tally(state)
  const { failed } = state.counts
  return `Status: ${facts(state.status, `${done}/${total} done`, failed > 0 && `${failed} failed`)}`
}

export function planMd(state: RunState): string {
  const lines = [statusFirstLine(state), '', `# Plan: ${mdLine(state.goal, 200)}`, '', planLine(state), '']
  const tasks = taskTree(state).flatMap(({ task, level }) => taskBlock(state, task, '  '.repeat(level)))
  return `${[...lines, ...(tasks.length > 0 ? tasks : ['No tasks yet.'])].join('\n')}\n`
}

function planLine({ plan }: RunState): string {
  const score = plan.score === null ? '' : `score ${plan.score}`
  return facts(plan.accepted ? 'Accepted' : 'Not accepted yet', score, plan.revision > 0 && `revision ${plan.revision}`)
}

function taskBlock(state: RunState, task: TaskState, indent: string): string[] {
  const note = facts(
    task.status !== 'done' && task.status !== 'todo' && `**${task.status}**`,
    isUnproven(task) && '**unverified**',
    isOlder(task) && 'done before this run',
    task.complexity,
    task.dependsOn.length > 0 && `after ${task.dependsOn.join(', ')}`,
    mdLine(permissionText(task), 300),
    task.status !== 'done' && task.reason !== null && mdLine(task.reason, 140),
  )
  return [
    `${indent}- [${isDone(state, task) ? 'x' : ' '}] **${task.id}** ${mdLine(task.title, 160)} (${note})`,
    ...task.criteria.map((criterion) => `${indent}  - ${mdLine(criterion, 300)}`),
  ]
}
