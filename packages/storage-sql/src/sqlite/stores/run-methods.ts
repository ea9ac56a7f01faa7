import type { Clock } from '@rollcall/core'
import { type Among, type AnyMethod, entriesOf, type Methods } from '../../tables/methods.ts'
import type { Synchronous } from '../asynchronous.ts'
import type { Connection, Statement, Value } from '../connection.ts'
import type { Writer } from '../writer.ts'

type Prepared = Statement

const ELEMENTS = 'IN (SELECT value FROM json_each(?))'
export const AMONG: Among = { texts: ELEMENTS, numbers: ELEMENTS }

/** What is made of a text, once for each. */
const oncePerText = <Made>(make: (text: string) => Made): ((text: string) => Made) => {
  const known = new Map<string, Made>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const made = make(text)
    known.set(text, made)
    return made
  }
}

/** Statements by their text, each prepared once. */
export const preparedOn = (connection: Connection): ((text: string) => Prepared) =>
  oncePerText((text) => connection.prepare<Value[]>(text))

const CLOCK: Clock = { now: () => Date.now() }

/** The methods that are described; `clock` is what `@now` says. */
export const sqliteReader = <Port>(methods: Methods<Port>, connection: Connection, clock = CLOCK): Synchronous<Port> =>
  run(methods, connection, clock)

/** The same of a unit of work. */
export const sqliteStore = <Port>(methods: Methods<Port>, writer: Writer, clock = CLOCK): Synchronous<Port> =>
  run(methods, writer.connection, clock, writer)

const run = <Port>(methods: Methods<Port>, connection: Connection, clock: Clock, writer?: Writer) => {
  const prepared = oncePerText((text) => ({
    statement: connection.prepare<Value[]>(text.replaceAll('@now', '?')),
    bind: binding(text, clock),
  }))
  const call = ({ gives, text, values, answer, next }: AnyMethod) => {
    const [only, textFor] = typeof text === 'string' ? [prepared(text), () => text] : [undefined, text]
    const go = next && call(next)
    return (...parameters: readonly unknown[]): unknown => {
      const { statement, bind } = only ?? prepared(textFor(...parameters))
      const bound = bind(values(...parameters))
      if (gives === 'first') return answer(statement.get(...bound) as never, parameters)
      if (gives === 'all') return answer(statement.all(...bound) as never, parameters)
      if (writer === undefined) throw new TypeError('A reader does not write.')
      const { changes } = writer.write(statement, ...bound)
      go?.(...parameters)
      return answer(changes as never, parameters)
    }
  }
  const entries = entriesOf(methods).map(([name, method]) => [name, call(method)])
  return Object.fromEntries(entries) as Synchronous<Port>
}

/** The values with the time in its places. */
const binding = (text: string, clock: Clock): ((values: readonly Value[]) => readonly Value[]) => {
  if (!text.includes('@now')) return (values) => values
  const marks = text.match(/\?|@now/g) ?? []
  return (values) => {
    const now = clock.now()
    let next = 0
    return marks.map((mark) => (mark === '@now' ? now : (values[next++] ?? null)))
  }
}
