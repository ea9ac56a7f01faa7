import { recordsText } from './http-records.ts'
import { itemText, typeText } from './http-words.ts'
import { code, GENERATED, inLine } from './markdown.ts'
import { DOCUMENT, ENDPOINTS, type Endpoint, type Operation, type Parameter, SCHEMAS, type Schema } from './open-api.ts'

/** The page of every operation, from the OpenAPI document. */
export const httpPage = (): string => {
  const sections = DOCUMENT.tags.map(({ name, description }) => {
    const own = ENDPOINTS.filter(({ operation }) => operation.tags.includes(name))
    return `## ${name}\n\n${description}\n\n${own.map(endpointText).join('')}`
  })
  const common = [...COMMON].map((text) => `${text}\n`).join('')
  return `# HTTP\n\n${GENERATED}\n${INTRODUCTION}\n## Common parameters\n\n${common}\n${sections.join('')}## Records\n\n${recordsText(SCHEMAS)}`
}

const INTRODUCTION = `A running service gives the same, and more of every schema, as an OpenAPI 3.1 document at \`GET /openapi.json\`. The [client](../guides/client.md) has a typed function for each operation, and [requests.http](https://github.com/rollcall/rollcall/blob/main/requests.http) an example.

- **Bodies** are forms (\`application/x-www-form-urlencoded\`, lists separated by spaces) or JSON, unless another type is named. They have 16 KiB at most, or 512 KiB where it says JSON alone; what mail providers report, 1 MiB. Those of \`PATCH\` are JSON merge patches (RFC 7396), in which a field that is left out stays as it is.
- **Query parameters**: an endpoint that needs a token and changes something refuses one that it does not list (422), and a change of many users a field of its body, so that a \`dry_run\` with a slip in it is no real run.
- **Access tokens** go into \`Authorization: Bearer ...\`. "For" names the roles that may do it; without that, no token is needed: if the path has \`{token}\`, the link is the permission.
- **Lists** have \`items\` and \`next\`: pass \`next\` as the cursor to go on; it is null at the end. \`previous\`, if there is one, leads back.
- **Conditions**: records have an \`ETag\`; \`If-Match\` and \`If-None-Match\` work on all of them, and \`If-Unmodified-Since\` and \`If-Modified-Since\` on those with a date. Send an \`ETag\` back as it came. A proxy that compresses may make it weak (\`W/\`) or longer, and then \`If-Match\` never holds, although \`If-None-Match\` does: ask with \`Accept-Encoding: identity\`, as the client and the command line do.
- **Answers** are JSON unless another type is named; a browser gets a page from what has pages, and where there is nothing. Every answer has an \`X-Request-Id\`.
- **Errors** are JSON with \`error\` and \`message\`, and \`no-store\`: [all errors](errors.md). Any operation may answer 400, 408, 417, 431, 500 and 503; one with roles 401 and 403; with a name in its path 404, and 429 if that is \`{token}\`; with a body 413 and 415; with anything to read 422; under conditions 304 and 412. Those beyond these are named.
- \`HEAD\` works where \`GET\` does, \`OPTIONS\` says what a path takes, and \`TRACE\` returns the request without credentials.
- **Types**: what has no other is a text. A \`?\` marks what may be left out. Times are RFC 3339, those that are answered in UTC with milliseconds. An address has at most 254 characters, and 254 bytes with its domain as A-labels, which is how it is stored; white space and marks that are not seen are taken off its ends.
`

const CONDITIONS = /^If-/

const parameterText = ({ name, in: place, required, description = '', schema }: Parameter): string => {
  const mark = required || place === 'path' ? '' : '?'
  return itemText([`${name}${mark}`], place === 'header' ? 'header' : typeText(schema), description)
}

/** What is the same for several operations is described once. */
const commonOf = (endpoints: readonly Endpoint[]): ReadonlySet<string> => {
  const counts = new Map<string, number>()
  const names = new Set<string>()
  for (const { operation } of endpoints)
    for (const one of operation.parameters) {
      const times = one.in === 'path' ? 2 : 1
      if (!CONDITIONS.test(one.name)) counts.set(parameterText(one), (counts.get(parameterText(one)) ?? 0) + times)
    }
  const often = [...counts].filter(([, count]) => count > 1).toSorted(([, one], [, other]) => other - one)
  return new Set(
    often.flatMap(([text]) => {
      const [name = ''] = text.split(':')
      if (names.has(name)) return []
      names.add(name)
      return [text]
    }),
  )
}

const NO_TOKEN = /^Needs no access token(?:: the link is the permission)?\.$/

const endpointText = ({ method, at, operation }: Endpoint): string => {
  const { summary, description, parameters, requestBody } = operation
  const who = description.replace(NO_TOKEN, '').replace(/^Needs one of: /, 'For ')
  const shown = parameters.filter(({ name, in: place }) => place !== 'path' && !CONDITIONS.test(name))
  const common = shown.filter((one) => COMMON.has(parameterText(one)))
  const own = shown.filter((one) => !COMMON.has(parameterText(one)))
  const items = [
    ...own.map(parameterText),
    ...(common.length > 0
      ? [
          itemText(
            common.map(({ name }) => name),
            '',
            '',
          ),
        ]
      : []),
    ...bodyText(requestBody?.content ?? {}),
    `- Answers: ${answersText(operation, at)}`,
  ]
  return `### \`${method} ${at}\`\n\n${[inLine(summary), who].join(' ').trim()}\n\n${items.join('\n')}\n\n`
}

const USUAL = ['application/json', 'application/x-www-form-urlencoded', 'application/merge-patch+json', 'text/plain']

const bodyText = (content: Readonly<Record<string, { readonly schema: Schema }>>): string[] => {
  const all = Object.entries(content)
  const [, first] = all.find(([type]) => type === 'application/json') ?? all[0] ?? []
  if (first === undefined) return []
  const types = all.map(([type]) => type)
  const unusual = types.filter((type) => !USUAL.includes(type))
  const form = types.includes('application/x-www-form-urlencoded') || types.includes('application/merge-patch+json')
  const told = unusual.length > 0 ? `, as ${unusual.map(code).join(' or ')}` : form ? '' : ', JSON alone'
  return [`- Body: ${typeText(first.schema) || 'any'}${told}`]
}

const answersText = ({ responses, parameters, requestBody, description }: Operation, at: string): string => {
  const token = !description.startsWith('Needs no')
  const reads = requestBody !== undefined || parameters.length > 0 || token
  const told: Readonly<Record<string, boolean>> = {
    ...{ 304: true, 400: true, 401: token, 403: token, 404: at.includes('{'), 412: true },
    ...{ 413: true, 415: true, 422: reads },
    ...{ 408: true, 417: true, 429: at.includes('{token}'), 431: true, 500: true, 503: true },
  }
  const statuses = Object.keys(responses).filter((status) => !told[status])
  const texts = statuses.map((status) => {
    if (Number(status) >= 400) return status
    const { $ref, content = {} } = responses[status] ?? {}
    const types = Object.entries($ref === undefined ? content : {})
    const page = types.length > 1 && 'application/json' in content
    const shown = types
      .filter(([type]) => !(page && type === 'text/html'))
      .map(([type, { schema }]) => (type === 'application/json' ? typeText(schema) : code(type)))
    return shown.length > 0 ? `${status} with ${[...new Set(shown)].join(' or ')}` : status
  })
  return `${texts.join(', ')}.`
}

const COMMON = commonOf(ENDPOINTS)
