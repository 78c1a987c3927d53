/**
 * Claude Looper, as its workflow document has it. Modelled: a plan reviewed by a supervisor and revised at most 3
 * times, then executed whatever he says (`skip_and_continue`); tasks one by one in the order of their dependencies;
 * coder, tester, at most 3 fixes within one preserved session, then the supervisor's verdict; a rejection or a fourth
 * red test fails the task; after 3 failed attempts the planner makes 2 or 3 subtasks of it, 3 levels deep; failed tasks
 * are retried in at most 5 goal iterations; more than half of them failed aborts; success is: all tasks completed, and
 * the supervisor says that the goal is achieved.
 */
import { atDesk, type Desk } from '../desk.ts'

interface Task {
  id: string
  dependsOn: string[]
  attempts: number
  depth: number
  status: 'pending' | 'completed' | 'failed' | 'blocked'
}

const [maxFixCycles, maxPlanRevisions, attemptsBeforeReplan, maxReplanDepth, maxGoalIterations] = [3, 3, 3, 3, 5]

export const claudeLooper = atDesk((desk) => {
  plan(desk)
  const tasks = desk.world.roots.map((id): Task => ({
    id,
    dependsOn: desk.world.tasks.get(id)?.dependsOn ?? [],
    attempts: 0,
    depth: 0,
    status: 'pending',
  }))
  const isDone = (id: string): boolean => {
    const task = tasks.find((known) => known.id === id)
    return (
      task?.status === 'completed'
      || (task?.status === 'blocked' && (desk.world.splits.get(id)?.children ?? []).every(isDone))
    )
  }
  for (let iteration = 0; iteration < maxGoalIterations; iteration++) {
    for (;;) {
      const task = tasks.find(({ status, dependsOn }) => status === 'pending' && dependsOn.every(isDone))
      if (!task) break
      task.status = execute(desk, task) ? 'completed' : 'failed'
      if (task.status === 'failed' && task.attempts >= attemptsBeforeReplan && task.depth < maxReplanDepth)
        replan(desk, tasks, task)
    }
    const failed = tasks.filter(({ status }) => status === 'failed')
    if (failed.length > tasks.length / 2) return false
    if (desk.world.roots.every(isDone)) {
      desk.spend()
      return desk.agents.review('supervisor', desk.tree()).length === 0
    }
    for (const task of failed) task.status = 'pending'
  }
  return false
})

function plan(desk: Desk): void {
  desk.spend(2)
  for (let revision = 0; revision < maxPlanRevisions && !desk.world.again('review plan').chance(0.9); revision++)
    desk.spend(2)
}

function execute(desk: Desk, task: Task): boolean {
  const { id } = task
  task.attempts++
  desk.code({ task: id, agent: 'a', given: task.attempts > 1 ? 'failure' : 'nothing', stale: task.attempts - 1 })
  for (let fix = 0; ; fix++) {
    desk.spend()
    if (desk.agents.test(id, desk.tree())) break
    if (fix === maxFixCycles) return false
    desk.code({ task: id, agent: 'a', fix: true, given: 'failure', stale: task.attempts + fix })
  }
  desk.spend()
  return desk.agents.judge('supervisor', id, desk.tree())
}

function replan(desk: Desk, tasks: Task[], task: Task): void {
  desk.spend()
  task.status = 'blocked'
  tasks.push(
    ...desk.world
      .split(task.id)
      .map(({ id, dependsOn }): Task => ({ id, dependsOn, attempts: 0, depth: task.depth + 1, status: 'pending' })),
  )
}
