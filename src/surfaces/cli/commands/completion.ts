/** `looper completion`: prints the script with which a shell completes commands, flags and names. */
import { LooperError } from '../../../api/error.ts'
import type { CommandSpec } from '../command.ts'
import { completionScripts } from '../completion/scripts.ts'
import { shells } from '../completion/shells.ts'

export const command: CommandSpec = {
  arguments: [['<shell>', `which shell (choices: ${shells.map((shell) => `"${shell}"`).join(', ')})`]],
  examples: [
    ['source <(looper completion bash)', 'in ~/.bashrc'],
    ['source <(looper completion zsh)', 'in ~/.zshrc, after compinit'],
    ['looper completion fish > ~/.config/fish/completions/looper.fish', ''],
    ['looper completion powershell | Out-String | Invoke-Expression', 'in $PROFILE'],
  ],
  async run({ out }, [name = '']) {
    const shell = shells.find((each) => each === name)
    if (shell === undefined) {
      const choices = `Allowed choices are ${shells.join(', ')}.`
      throw new LooperError(
        'USAGE_ARGUMENTS',
        `command-argument value '${name}' is invalid for argument 'shell'. ${choices}`,
      )
    }
    out.write(completionScripts[shell])
    return 0
  },
}
