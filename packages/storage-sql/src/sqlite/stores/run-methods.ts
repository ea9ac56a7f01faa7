import type { Clock } from '@rollcall/core'
import { type AnyMethod, type Cell, entriesOf, type Methods } from '../../tables/methods.ts'
import type { Synchronous } from '../asynchronous.ts'
import type { Connection, Statement, Value } from '../connection.ts'
import { NOTE_ERASURE } from '../erasure.ts'
import type { Writer } from '../writer.ts'

type Prepared = Statement

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
    statement: connection.prepare<Value[]>(inSqlite(text)),
    bind: binding(text, clock),
  }))
  const call = ({ gives, text, values, answer, erases, next }: AnyMethod) => {
    const [only, textFor] = typeof text === 'string' ? [prepared(text), () => text] : [undefined, text]
    const go = next && call(next)
    return (...parameters: readonly unknown[]): unknown => {
      const { statement, bind } = only ?? prepared(textFor(...parameters))
      const bound = bind(values(...parameters))
      if (gives === 'first') return answer(statement.get(...bound) as never, parameters)
      if (gives === 'all') return answer(statement.all(...bound) as never, parameters)
      if (writer === undefined) throw new TypeError('A reader does not write.')
      const { changes } = writer.write(statement, ...bound)
      if (erases && changes > 0) writer.write(prepared(NOTE_ERASURE).statement)
      go?.(...parameters)
      return answer(changes as never, parameters)
    }
  }
  const entries = entriesOf(methods).map(([name, method]) => [name, call(method)])
  return Object.fromEntries(entries) as Synchronous<Port>
}

/** The text of a method as SQLite has it. */
const inSqlite = (text: string): string =>
  text.replaceAll('@now', '?').replaceAll(/@(?:texts|wholes)/g, '(SELECT value FROM json_each(?))')

/** The values with the time in its places, and lists as JSON. */
const binding = (text: string, clock: Clock): ((values: readonly Cell[]) => readonly Value[]) => {
  if (text.includes('@texts') || text.includes('@wholes')) return (values) => values.map(inJson)
  if (!text.includes('@now')) return (values) => values as readonly Value[]
  const marks = text.match(/\?|@now/g) ?? []
  return (values) => {
    const now = clock.now()
    let next = 0
    return marks.map((mark) => (mark === '@now' ? now : ((values[next++] ?? null) as Value)))
  }
}

const inJson = (value: Cell): Value => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value)
