import { Unavailable } from '@rollcall/core'
import { OperatorError } from '@rollcall/platform-node'
import { expect, it } from 'vitest'
import { failureOf } from '../src/failure.ts'

it('tells a person why storage failed, and a program what it can rely on', () => {
  const { message, sentence } = failureOf(new Unavailable({ cause: new Error('database or disk is full') }))
  expect(message).toBe(new Unavailable().message)
  expect(sentence).toBe(`${message} The reason: database or disk is full`)
  expect(failureOf(new Unavailable()).sentence).toBeUndefined()
})

it('says what to do, where the storage is away for good', () => {
  class DiskFailed extends OperatorError {
    override readonly name = 'DiskFailed'
  }
  const failure = failureOf(new Unavailable({ cause: new DiskFailed('Check the disk, then start again.') }))
  expect(failure).toMatchObject({ error: 'DiskFailed', message: 'Check the disk, then start again.', exitCode: 4 })
})
