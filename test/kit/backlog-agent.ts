/**
 * The agent of most tests about backlogs: does each task by writing its file, finds nothing missing, plans two tasks.
 */
export const backlogWorker = `
if (role === 'iterator' && purpose === 'iterate') {
  note('tasks', task)
  write(task + '.txt', 'made by ' + task + '\\n')
  const found = env.FIND === task ? [{ title: 'found on the way' }] : []
  answer({ task_id: task, status: 'done', summary: 'made ' + task, files: [task + '.txt'], new_tasks: found })
}
if (role === 'iterator' && purpose === 'review') answer({ task_id: null, status: 'done', summary: 'all there', new_tasks: [] })
if (role === 'planner') answer({ status: 'plan', tasks: [{ id: 'T1', title: 'first' }, { id: 'T2', title: 'second', dependsOn: ['T1'] }] })
`
