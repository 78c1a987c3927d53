import { describe, expect, test } from 'vitest'
import { hasRelease, notesOf, releaseChangelog, type Release } from './changelog.ts'

const release: Release = {
  version: '1.1.0',
  date: '2026-01-31',
  tag: 'v1.1.0',
  before: 'v1.0.0',
  subjects: ['Add a flag', 'Fix the list'],
}
const fromCommits = '- Add a flag\n- Fix the list'

describe('releaseChangelog', () => {
  test.each<[what: string, before: string, after: string, notes: string]>([
    [
      'what people wrote',
      '# Changelog\n\n## Unreleased\n\n- Mine.\n\n### Fixed\n\n- This.\n\n## 1.0.0 - 2025-01-01\n\n- First.\n',
      '# Changelog\n\n## Unreleased\n\n## 1.1.0 - 2026-01-31\n\n- Mine.\n\n### Fixed\n\n- This.\n\n## 1.0.0 - 2025-01-01\n\n- First.\n',
      '- Mine.\n\n### Fixed\n\n- This.',
    ],
    [
      'an empty section',
      '# Changelog\n\n## Unreleased\n\n## 1.0.0\n',
      `# Changelog\n\n## Unreleased\n\n## 1.1.0 - 2026-01-31\n\n${fromCommits}\n\n## 1.0.0\n`,
      fromCommits,
    ],
    [
      'only the section',
      '## [Unreleased]\n',
      `## [Unreleased]\n\n## [1.1.0] - 2026-01-31\n\n${fromCommits}\n`,
      fromCommits,
    ],
    [
      'no section',
      '# Changes\n\nAll of them.\n\n## [1.0.0]\n\n- First.\n',
      `# Changes\n\nAll of them.\n\n## [1.1.0] - 2026-01-31\n\n${fromCommits}\n\n## [1.0.0]\n\n- First.\n`,
      fromCommits,
    ],
    ['no release yet', '# Changes\n', `# Changes\n\n## 1.1.0 - 2026-01-31\n\n${fromCommits}\n`, fromCommits],
    ['an empty file', '', `# Changelog\n\n## 1.1.0 - 2026-01-31\n\n${fromCommits}\n`, fromCommits],
    [
      'lines of Windows',
      '## Unreleased\r\n\r\n- Mine.\r\n',
      '## Unreleased\r\n\r\n## 1.1.0 - 2026-01-31\r\n\r\n- Mine.\r\n',
      '- Mine.',
    ],
    [
      'links',
      '## [Unreleased]\n\n- Mine.\n\n## [1.0.0] - 2025-01-01\n\n[unreleased]: https://x.example/r/compare/v1.0.0...HEAD\n[1.0.0]: https://x.example/r/releases/tag/v1.0.0\n',
      '## [Unreleased]\n\n## [1.1.0] - 2026-01-31\n\n- Mine.\n\n## [1.0.0] - 2025-01-01\n\n[unreleased]: https://x.example/r/compare/v1.1.0...HEAD\n[1.1.0]: https://x.example/r/compare/v1.0.0...v1.1.0\n[1.0.0]: https://x.example/r/releases/tag/v1.0.0\n',
      '- Mine.',
    ],
    [
      'links right behind',
      '## [Unreleased]\n- Mine.\n\n[unreleased]: https://x.example/r\n',
      '## [Unreleased]\n\n## [1.1.0] - 2026-01-31\n\n- Mine.\n\n[unreleased]: https://x.example/r\n',
      '- Mine.',
    ],
  ])('makes a release of %s', (_, before, after, notes) => {
    expect(releaseChangelog(before, release)).toEqual({ text: after, notes })
    expect(hasRelease(after, '1.1.0')).toBe(true)
    expect(notesOf(after, '1.1.0')).toBe(notes)
    expect(hasRelease(before, '1.1.0')).toBe(false)
  })

  test('does not print all of a long history', () => {
    const { notes } = releaseChangelog('', {
      ...release,
      subjects: Array.from({ length: 1000 }, (_, index) => `Change ${index}`),
    })
    expect(notes.split('\n')).toHaveLength(201)
    expect(notes).toMatch(/- and 800 more$/)
  })

  test('takes no version for another', () => {
    expect(hasRelease('## 1.1.0-rc.1\n## 1.1.00\n## 11.1.0\n## 1x1.0\n', '1.1.0')).toBe(false)
    expect(hasRelease('## v1.1.0 (today)\n', '1.1.0')).toBe(true)
  })
})
