import { Unavailable } from '@rollcall/core'
import { expect, it } from 'vitest'
import { failureOf } from '../src/failure.ts'

it('tells a person why storage failed, and a program what it can rely on', () => {
  const { message, sentence } = failureOf(new Unavailable({ cause: new Error('database or disk is full') }))
  expect(message).toBe(new Unavailable().message)
  expect(sentence).toBe(`${message} The reason: database or disk is full`)
  expect(failureOf(new Unavailable()).sentence).toBeUndefined()
})
