/** Keys of commit messages, and of how a result reaches the user's branch. */
import { applyStyles } from '../../model/config.ts'
import { example, group, setting } from '../../schema/field.ts'
import { choice, nullable, textLike, whole } from '../../schema/spec.ts'

const template = textLike(
  'a text whose variables are {{task.id}}, {{task.title}}, {{type}}, {{goal}} or {{run}}',
  /^(?=[^]*\S)(?:(?!\{\{)[^\0]|\{\{\s*(?:task\.id|task\.title|type|goal|run)\s*\}\})+$/,
)

export const commitKeys = {
  commit: group('The messages of the commits that Looper makes.', {
    style: setting(
      choice('plain', 'conventional'),
      'plain',
      'The form of a subject: the title of the task, or Conventional Commits with a type (feat, fix, docs …).',
      'commit-style',
    ),
    template: example(
      setting(
        nullable(template),
        null,
        'The message in place of the usual one; its first line is the subject. Null means the form of commit.style.',
      ),
      '{{type}}: {{task.title}}\n\nRefs: {{task.id}}',
    ),
    subjectLength: example(
      setting(whole({ min: 20, max: 200 }), 72, 'The longest subject, in columns; a longer one is cut.'),
      50,
    ),
  }),
  apply: group('How `looper apply` brings a run into your branch.', {
    style: setting(
      choice(...applyStyles),
      'merge',
      'A merge (a fast-forward where your branch has not moved), one commit, or the commits replayed on your branch.',
    ),
  }),
}
