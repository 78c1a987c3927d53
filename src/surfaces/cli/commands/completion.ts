/** `looper completion`: prints the script with which a shell completes commands, flags and names. */
import { LooperError } from '../../../api/error.ts'
import type { CommandSpec } from '../command.ts'
import { completionScripts } from '../completion/scripts.ts'
import { shells } from '../completion/shells.ts'

export const command: CommandSpec = {
  arguments: [['<shell>', `which shell: ${shells.join(', ')}`]],
  examples: [
    ['source <(looper completion bash)', 'in ~/.bashrc'],
    ['source <(looper completion zsh)', 'in ~/.zshrc, after compinit'],
    ['looper completion fish > ~/.config/fish/completions/looper.fish', ''],
    ['looper completion powershell | Out-String | Invoke-Expression', 'in $PROFILE'],
  ],
  async run({ out }, [name = '']) {
    const shell = shells.find((each) => each === name)
    if (shell === undefined) {
      throw new LooperError('USAGE_ARGUMENTS', `there is no completion for the shell '${name}'`, {
        hint: `Use one of ${shells.join(', ')}.`,
      })
    }
    out.write(completionScripts[shell])
    return 0
  },
}
