import { type Caller, type FieldProblem, InvalidInput } from '@rollcall/core'
import { conditionOn } from '../conditional-request.ts'
import type { Handler, RouteContext } from '../exchange.ts'
import { basePathOf, type HttpOptions } from '../http-options.ts'
import { fieldsOfQuery } from '../reading/fields.ts'
import { sendChanged, sendNothing, sendRepresentation, sendResult } from '../send.ts'
import { type Call, isWriting, looksUpFirst, type Operation, type Sent } from './operation.ts'
import { parameterOf } from './parameters.ts'
import { membersOf, record } from './schema.ts'

/** What an operation does with a request: reads it as declared, calls its handler, and sends the reply. */
export const handlerOf = (operation: Operation, options: HttpOptions): Handler => {
  const { query, body, guarded, reads } = operation
  const names = Object.keys(query)
  const queries = queryOf(query)
  const isStrict = guarded !== undefined && isWriting(operation)
  const isRead = reads === 'form' || reads === 'json' || reads === 'patch'
  const members = body === undefined || !isRead ? [] : Object.keys(membersOf(body))
  const isLate = looksUpFirst(operation)
  return async (ctx) => {
    const { fields, caller } = ctx.state.rollcall
    const asked = fieldsOfQuery(ctx.querystring)
    const given = asked.read(queries)
    const sent = body === undefined || !isRead ? NOTHING : fields.read(body, { nulls: reads === 'patch' })
    const unknown = [
      ...(isStrict ? asked.unknownTo(names) : []),
      ...(members.includes('dry_run') ? fields.unknownTo(members) : []),
    ]
    const problems: FieldProblem[] = [...unknown, ...given.problems, ...sent.problems]
    let areUnsaid = problems.length > 0
    const assertGood = (): void => {
      areUnsaid = false
      if (problems.length > 0) throw new InvalidInput(problems)
    }
    if (!isLate) assertGood()
    const call: Call = {
      ctx,
      options,
      useCases: options.useCases,
      // No getter of this literal: V8 makes a hidden class for each, which keeps the whole request until a full collection.
      caller: caller as Caller,
      path: ctx.params,
      query: given.value,
      body: sent.value,
      fields,
      assertGood,
      whenFound: () => {
        assertGood()
        return true
      },
      precondition: (resource) => {
        const condition = conditionOn(resource, ctx)
        return (current) => condition(current) && call.whenFound()
      },
    }
    const reply = await operation.handle(call as never)
    if (areUnsaid) throw new Error(`${operation.id} never asked whether its input was good`)
    if (reply !== undefined) send(ctx, options, operation, reply as Sent<number, unknown>)
  }
}

const NOTHING = { value: undefined, problems: [] }

/** The parameters of a query as one schema. */
const queryOf = (query: Operation['query']) => {
  const isRequired = ([, schema]: [string, Operation['query'][string]]) => parameterOf(schema).required === true
  const [required = [], optional = []] = [true, false].map((wanted) =>
    Object.entries(query).filter((one) => isRequired(one) === wanted),
  )
  return record(Object.fromEntries(required), Object.fromEntries(optional))
}

const send = (
  ctx: RouteContext,
  { publicUrl, now = Date.now }: HttpOptions,
  { conditional, reads }: Operation,
  { status, body, location, state, lastModified }: Sent<number, unknown>,
): void => {
  if (location !== undefined) ctx.res.setHeader('Location', basePathOf(publicUrl) + location)
  if (status === 204) sendNothing(ctx)
  else if (conditional === 'read') sendRepresentation(ctx, { record: body, state, lastModified, now: now() })
  else if (reads === 'patch') sendChanged(ctx, body, state)
  else sendResult(ctx, body, status)
}
