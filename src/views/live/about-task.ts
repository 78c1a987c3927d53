/** Whether an event of the journal is about a task. */
import type { Event } from '../../model/event.ts'
import { ownerOf } from '../../model/work-id.ts'

export function isAbout(event: Event, task: string): boolean {
  switch (event.type) {
    case 'task.added':
      return event.task.id === task || ownerOf(event.origin) === task
    case 'task.reopened':
    case 'wave.closed':
      return event.tasks.includes(task)
    case 'work.started':
      return ownerOf(event.work.id) === task
    case 'work.finished':
    case 'work.lost':
      return ownerOf(event.id) === task
    case 'source.polled':
      return event.claimed === task
    case 'budget.spent':
      return ownerOf(event.work) === task
    case 'verdict.given':
      return event.subject.kind === 'task' && event.subject.task === task
    case 'decision.recorded':
      return event.decision.task === task
    case 'question.asked':
      return event.question.blocks.includes(task) || ownerOf(event.question.origin) === task
    default:
      return 'task' in event && event.task === task
  }
}
