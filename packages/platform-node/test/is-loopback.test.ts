import { expect, it } from 'vitest'
import { isLoopback } from '../src/index.ts'

it.each(['127.0.0.1', '127.255.0.9', '::1', '[::1]', 'localhost', 'LOCALHOST', 'id.localhost'])(
  'is this machine: %s',
  (host) => {
    expect(isLoopback(host)).toBe(true)
  },
)

it.each([
  '0.0.0.0',
  '::',
  '[::]',
  '10.0.0.1',
  '127.0.0.1.example.com',
  '127.0.0.999',
  'localhost.example.com',
  'notlocalhost',
  '.localhost',
  '',
])('may be another machine: %j', (host) => {
  expect(isLoopback(host)).toBe(false)
})
