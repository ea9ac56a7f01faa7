import { describe, expectTypeOf, it } from 'vitest'
import type {
  AnswerOf,
  Client,
  ErrorOf,
  ExportedSubscription,
  FieldProblem,
  ImportSummary,
  Params,
  RefusedRow,
  RollcallError,
  User,
  UserList,
} from '../src/index.ts'

type Result<Id extends keyof Client> = Client[Id] extends (...args: never[]) => infer Given ? Given : never

// The compiler is what tests here; nothing is called.
describe('the types', () => {
  it('have the errors of the operation, one of which its name tells', () => {
    expectTypeOf<ErrorOf<'getUser'>['error']>().toEqualTypeOf<
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InternalError'
      | 'MalformedRequest'
      | 'PreconditionFailed'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'UnexpectedAnswer'
      | 'Unavailable'
      | 'UserDeleted'
      | 'UserNotFound'
    >()
    type Invalid = Extract<ErrorOf<'putUser'>, { readonly error: 'InvalidInput' }>
    expectTypeOf<Invalid>().toEqualTypeOf<RollcallError<'InvalidInput'>>()
    expectTypeOf<Invalid['details']>().toEqualTypeOf<readonly FieldProblem[]>()
    expectTypeOf<RollcallError<'EmailTaken'>['details']>().toEqualTypeOf<undefined>()
    expectTypeOf<Extract<ErrorOf<'getUser'>, { readonly error: 'EmailTaken' }>>().toBeNever()
    expectTypeOf<ErrorOf<'restoreUser'>['error']>()
      .extract<'EmailTaken' | 'UserNameTaken'>()
      .toEqualTypeOf<'EmailTaken' | 'UserNameTaken'>()
  })

  it('have the data of each status', () => {
    type Put = AnswerOf<'putUser'>
    expectTypeOf<Extract<Put, { readonly status: 201 }>['data']>().toEqualTypeOf<User>()
    expectTypeOf<Extract<Put, { readonly status: 204 }>['data']>().toEqualTypeOf<undefined>()
    expectTypeOf<Result<'putUser'>>().toEqualTypeOf<Promise<User | undefined>>()
    expectTypeOf<Result<'getUser'>>().toEqualTypeOf<Promise<User>>()
    expectTypeOf<Result<'deleteUser'>>().toEqualTypeOf<Promise<undefined>>()
    expectTypeOf<Result<'showConfirm'>>().toEqualTypeOf<Promise<string>>()
    expectTypeOf<Result<'getReadiness'>>().resolves.toHaveProperty('outbox')
  })

  it('have the records of lists and streams', () => {
    expectTypeOf<Result<'listUsers'>>().toEqualTypeOf<Promise<UserList> & AsyncIterable<User>>()
    expectTypeOf<Result<'listEvents'>>().toExtend<AsyncIterable<{ readonly sequence: string }>>()
    expectTypeOf<Result<'getConsent'>>().not.toExtend<AsyncIterable<unknown>>()
    const given = (client: Client, params: Params<'exportSubscriptions'>, excel: boolean) => ({
      all: client.exportSubscriptions(),
      lines: client.exportSubscriptions({ status: 'confirmed', excel: false }),
      text: client.exportSubscriptions({ format: 'csv' }),
      forExcel: client.exportSubscriptions({ excel: true }),
      either: client.exportSubscriptions({ format: 'ndjson' as 'csv' | 'ndjson' }),
      perhapsForExcel: client.exportSubscriptions({ excel }),
      whatever: client.exportSubscriptions(params),
      report: client.importSubscriptions({ body: { csv: '' } }),
    })
    expectTypeOf(given).returns.toEqualTypeOf<{
      all: AsyncIterable<ExportedSubscription>
      lines: AsyncIterable<ExportedSubscription>
      text: AsyncIterable<string>
      forExcel: AsyncIterable<string>
      either: AsyncIterable<string | ExportedSubscription>
      perhapsForExcel: AsyncIterable<string | ExportedSubscription>
      whatever: AsyncIterable<string | ExportedSubscription>
      report: AsyncIterable<RefusedRow | ImportSummary>
    }>()
    type Data<Id extends keyof Client['try']> = Extract<AnswerOf<Id>, { readonly ok: true }>['data']
    expectTypeOf<Data<'exportSubscriptions'>>().toEqualTypeOf<AsyncIterable<string | ExportedSubscription>>()
    expectTypeOf<Data<'importSubscriptions'>>().toEqualTypeOf<AsyncIterable<RefusedRow | ImportSummary>>()
  })

  it('ask for what the operation needs, and allow nothing else', () => {
    expectTypeOf<Params<'deleteUser'>>().toHaveProperty('subscriptions_expected')
    expectTypeOf<Params<'getLiveness'>>().toExtend<Readonly<Record<never, never>>>()
    const wrong = (client: Client) => {
      // @ts-expect-error `userId` is missing
      client.getUser({})
      // @ts-expect-error there is no such status
      client.listSubscriptions({ status: 'gone' })
      // @ts-expect-error there is no such parameter
      client.listFeeds({ name: 'default' })
      // @ts-expect-error what answers 304 is `try.getUser`
      client.getUser({ userId: 'ada', ifNoneMatch: '"1"' })
      client.try.getUser({ userId: 'ada', ifNoneMatch: '"1"' })
      client.listFeeds()
    }
    expectTypeOf(wrong).toBeFunction()
  })
})
