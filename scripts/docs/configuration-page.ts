import { aboutSetting, SETTINGS, type SettingName } from '../../packages/app/src/settings.ts'
import { code, GENERATED, inLine, table } from './markdown.ts'

const INTRODUCTION = `Rollcall reads its settings from the environment, and from \`.env\` in the folder where it starts; the environment takes precedence. A bad value or an unknown \`ROLLCALL_*\` name stops the start with exit code 4 and a message that says what is allowed. So give settings of your own programs names that begin otherwise. \`rollcall doctor\` checks all of them.

For secrets, add \`_FILE\` to a name and give the path of a file that holds the value: \`ROLLCALL_SECRET_FILE=/run/secrets/rollcall\`. It is read at the start; that of the database also [when the login changes](postgresql.md). Who may read such files is in [files and access](files.md).
`

const OF_COMMANDS = `## Commands

Beside a service, commands need its database and its keys. \`ROLLCALL_PUBLIC_URL\`, \`ROLLCALL_CONFIRM_TTL\` and \`ROLLCALL_DELETE_GRACE\` they take as the service had them that was started last, whatever their own environment; of two graces the longer one.

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

/** All steps of a schema; those of what it is made of are the last. */
const stepsOf = (schema: Schema): readonly Schema[] => {
  const { wrapped, pipe } = schema
  if (wrapped !== undefined) return stepsOf(wrapped)
  const [first, ...others] = pipe ?? []
  return first === undefined ? [schema] : [...others, ...stepsOf(first)]
}

/** What a bad value is answered with says what is allowed. */
const allowed = (schema: Schema): string => {
  const steps = stepsOf(schema)
  const options = steps.find((step) => step.options !== undefined)?.options
  if (options !== undefined) return options.map(code).join(', ')
  const told = steps.map(({ message }) => message).find((text) => typeof text === 'string')
  return told === undefined ? '' : inLine(String(told).replace(/^use /, '').replace(/\.$/, ''))
}

const preset = ({ default: value }: Schema, without = 'none'): string =>
  typeof value === 'string' && value !== '' ? code(value) : without

/** The page of every setting, from the schema that the service itself checks them by. */
export const configurationPage = (): string => {
  const names = Object.keys(SETTINGS.entries) as SettingName[]
  const groups = [...new Set(names.map((name) => aboutSetting(name).group))]
  const sections = groups.map((group) => {
    const rows = names
      .filter((name) => aboutSetting(name).group === group)
      .map((name) => {
        const schema = SETTINGS.entries[name] as unknown as Schema
        const { text, without } = aboutSetting(name)
        return [code(`ROLLCALL_${name}`), preset(schema, without), allowed(schema), text]
      })
    return `## ${group}\n\n${table(['name', 'default', 'allowed', 'meaning'], rows)}`
  })
  return `# Configuration\n\n${GENERATED}\n${INTRODUCTION}\n${sections.join('')}${OF_COMMANDS}`
}
