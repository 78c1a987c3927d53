/** The completion scripts of the shells. A script calls Looper on every tab, so it never has to be regenerated. */
import type { Shell } from './shells.ts'

/** The script expands no list of words, so text in a name is never executed. */
const bash = `# Completion of looper for bash. In ~/.bashrc: source <(looper completion bash)
_looper() {
  local line current=\${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :files | :folders)
        compopt -o filenames 2>/dev/null
        local kind=-f
        [[ $line == :folders ]] && kind=-d
        while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen "$kind" -- "$current")
        return ;;
    esac
    line=\${line%%$'\\t'*}
    [[ $line == *[!A-Za-z0-9_./:=@%+,-]* ]] && printf -v line %q "$line"
    COMPREPLY+=("$line")
  done < <(looper __complete bash "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _looper looper
`

const zsh = `#compdef looper
# Completion of looper for zsh. In ~/.zshrc, after compinit: source <(looper completion zsh)
# Or as the file _looper in a folder of $fpath.
_looper() {
  local line value
  local -a described
  while IFS= read -r line; do
    case $line in
      :files) _files; return ;;
      :folders) _files -/; return ;;
    esac
    value=\${line%%$'\\t'*}
    [[ $line == *$'\\t'* ]] && described+=("\${value//:/\\\\:}:\${line#*$'\\t'}") || described+=("\${value//:/\\\\:}")
  done < <(looper __complete zsh "\${(@Q)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)
  (( $#described )) && _describe -V looper described
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _looper "$@"; else compdef _looper looper; fi
`

const fish = `# Completion of looper for fish: looper completion fish > ~/.config/fish/completions/looper.fish
function __looper_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in (looper __complete fish $words[2..-1] 2>/dev/null)
        switch $line
            case :files
                __fish_complete_path (commandline -ct)
            case :folders
                __fish_complete_directories (commandline -ct)
            case '*'
                printf '%s\\n' $line
        end
    end
end
complete -c looper -f -k -a '(__looper_complete)'
`

const powershell = `# Completion of looper for PowerShell. In $PROFILE:
#   looper completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName looper -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $before = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { "$_" })
    looper __complete powershell @before "+$wordToComplete" 2>$null |
        Where-Object { -not $_.StartsWith(':') } | ForEach-Object {
        $value, $about = $_ -split "\`t", 2
        if (-not $about) { $about = $value }
        [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $about)
    }
}
`

export const completionScripts: Readonly<Record<Shell, string>> = { bash, zsh, fish, powershell }
