import { SETTINGS, type SettingName } from '../../packages/app/src/settings.ts'
import { code, GENERATED, inLine, table } from './markdown.ts'
import { SETTING_TEXTS, type SettingText } from './setting-texts.ts'

const INTRODUCTION = `Rollcall reads its settings from the environment, and from \`.env\` in the folder where it starts; the environment takes precedence. A bad value or an unknown \`ROLLCALL_*\` name stops the start with exit code 4 and a message that says what is allowed. So give settings of your own programs names that begin otherwise. \`rollcall doctor\` checks all of them.

For secrets, add \`_FILE\` to a name and give the path of a file that holds the value: \`ROLLCALL_SECRET_FILE=/run/secrets/rollcall\`. Who may read such files is in [files and access](files.md).
`

const OF_COMMANDS = `## Commands

| name | default | meaning |
| --- | --- | --- |
| \`ROLLCALL_SERVER\` | this machine | the server that commands go to. See [work from another machine](../guides/work-from-another-machine.md) |
| \`ROLLCALL_TOKEN_FILE\` | | the file of its access token |
| \`NO_COLOR\` | | any value: no colours on terminals; with \`TERM=dumb\` there is no escape sequence at all |
`

interface Schema {
  readonly type: string
  readonly wrapped?: Schema
  readonly default?: unknown
  readonly pipe?: readonly Schema[]
  readonly message?: unknown
  readonly options?: readonly string[]
}

/** What a bad value is answered with says what is allowed. */
const allowed = (schema: Schema): string => {
  const { wrapped, pipe = [], options, message } = schema
  if (wrapped !== undefined) return allowed(wrapped)
  if (options !== undefined) return options.map(code).join(', ')
  const told = [message, ...pipe.map((step) => step.message)].find((text) => typeof text === 'string')
  return told === undefined ? '' : inLine(String(told).replace(/^use /, '').replace(/\.$/, ''))
}

const preset = ({ default: value }: Schema, { without = 'none' }: SettingText): string =>
  typeof value === 'string' && value !== '' ? code(value) : without

/** The page of every setting, from the schema that the service itself checks them by. */
export const configurationPage = (): string => {
  const names = Object.keys(SETTINGS.entries) as SettingName[]
  const groups = [...new Set(Object.values(SETTING_TEXTS).map(({ group }) => group))]
  const sections = groups.map((group) => {
    const rows = names
      .filter((name) => SETTING_TEXTS[name].group === group)
      .map((name) => {
        const schema = SETTINGS.entries[name] as unknown as Schema
        return [
          code(`ROLLCALL_${name}`),
          preset(schema, SETTING_TEXTS[name]),
          allowed(schema),
          SETTING_TEXTS[name].text,
        ]
      })
    return `## ${group}\n\n${table(['name', 'default', 'allowed', 'meaning'], rows)}`
  })
  return `# Configuration\n\n${GENERATED}\n${INTRODUCTION}\n${sections.join('')}${OF_COMMANDS}`
}
