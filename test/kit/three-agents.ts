/** Agents in three languages that take a run from goal to branch. */
import { beside, call, ownAgent } from './outside.ts'
import { type Ended, type Project, type ProjectOptions } from './project.ts'

export const planner = `#!/bin/sh
cat > "$NOTES/prompt-$LOOPER_ROLE"
env > "$NOTES/env-$LOOPER_ROLE"; pwd > "$NOTES/pwd-$LOOPER_ROLE"; ls -A > "$NOTES/ls-$LOOPER_ROLE"
cp "$LOOPER_RESULT_SCHEMA" "$NOTES/schema-$LOOPER_ROLE"
echo '{"type":"session","id":"s-1"}'
echo '{"type":"usage","inputTokens":10,"outputTokens":5,"costUsd":0.25}'
echo 'Now I think: {"not": json'
echo '{"type":"message","text":"still thinking"}'
echo '{"type":"usage","inputTokens":1,"outputTokens":2,"costUsd":0.5}'
cat <<'END'
Here is the plan:
{
  "status": "plan",
  "confidence": { "of": "mine" },
  "tasks": [
    { "id": "T001", "title": "first", "criteria": ["it is there", "it says \\"}\\" and {"], "color": "red" },
    { "id": "T002", "title": "second", "complexity": "simple", "dependsOn": ["T001"] }
  ]
}
END
echo '{"type":"message","text":"done"}'
`

const tester = `#!/bin/sh
cat > /dev/null
env > "$NOTES/env-$LOOPER_ROLE"
cp "$LOOPER_RESULT_SCHEMA" "$NOTES/schema-$LOOPER_ROLE"
echo '{"status":"passed","total":2,"passed":2,"failed":0}'
echo '{"type":"usage","inputTokens":100,"outputTokens":0}'
`

const coder = `
import json, os, shutil, sys
env, prompt = os.environ, sys.stdin.read()
notes = env['NOTES']
task = env['LOOPER_TASK']
with open(os.path.join(notes, 'prompt-' + task), 'w') as f: f.write(prompt)
with open(os.path.join(notes, 'env-' + task), 'w') as f:
    for name, value in env.items(): f.write(name + '=' + value + chr(10))
with open(os.path.join(notes, 'pwd-' + task), 'w') as f: f.write(os.getcwd())
shutil.copy(env['LOOPER_RESULT_SCHEMA'], os.path.join(notes, 'schema-coder'))
print(json.dumps({'type': 'tool_use', 'name': 'write', 'input': {'path': task}}), flush=True)
print(json.dumps({'type': 'command', 'command': 'make', 'exitCode': 0}))
print(json.dumps({'status': 'blocked', 'summary': 'the file decides, not this'}))
with open(task + '.txt', 'w') as f: f.write('made by ' + task)
with open(env['LOOPER_RESULT_FILE'], 'w') as f: json.dump({'status': 'complete', 'mood': 'good', 'summary': None, 'newTasks': None}, f)
`

const supervisor = `
fs.writeFileSync(path.join(env.NOTES, 'env-' + purpose), Object.entries(env).map((entry) => entry.join('=')).join('\\n'))
fs.copyFileSync(env.LOOPER_RESULT_SCHEMA, path.join(env.NOTES, 'schema-supervisor'))
console.log('My judgment, after {"score": 1} which was too low:\\n\\n\`\`\`json\\n' + JSON.stringify({ score: 88, approved: false }, null, 2) + '\\n\`\`\`\\nThat is all.')
`

/** A planner in sh, a coder in python, a tester in sh and a supervisor in node work together. */
export async function runThreeAgents(
  open: (options: ProjectOptions) => Project,
): Promise<{ project: Project; ended: Ended }> {
  const project = open({ agent: supervisor })
  const env = { NOTES: project.notes }
  project.configure({
    agent: 'sh',
    agents: {
      sh: { command: ['sh', beside(project, 'planner.sh', planner)], env },
      py: { command: ['python3', beside(project, 'coder.py', coder)], env, model: 'snake-1' },
      js: ownAgent(project),
      tests: { command: [beside(project, 'tester.sh', tester)], env },
    },
    roles: { coder: { agent: 'py' }, supervisor: { agent: 'js' }, tester: { agent: 'tests' } },
    checks: ['test -e T001.txt'],
  })
  const ended = await call(project, ['run', 'Make two files', '--json'], {
    env: { FOREIGN: 'x', MY_API_KEY: 'not for agents' },
  })
  return { project, ended }
}
