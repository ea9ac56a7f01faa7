import { expect, it } from 'vitest'
import { parseAddressRange } from '../src/reachable-addresses.ts'

it.each([
  ['10.0.0.0/8', { network: '10.0.0.0', prefix: 8, family: 'ipv4' }],
  ['0.0.0.0/0', { network: '0.0.0.0', prefix: 0, family: 'ipv4' }],
  ['127.0.0.1', { network: '127.0.0.1', prefix: 32, family: 'ipv4' }],
  ['fd00::/8', { network: 'fd00::', prefix: 8, family: 'ipv6' }],
  ['::1', { network: '::1', prefix: 128, family: 'ipv6' }],
  ['::ffff:10.0.0.0/104', { network: '::ffff:10.0.0.0', prefix: 104, family: 'ipv6' }],
])('takes %s for a range of addresses', (text, range) => {
  expect(parseAddressRange(text)).toEqual(range)
})

it.each([
  ...['', '/8', '10.0.0.0/', '10.0.0.0/33', '::/129', '10.0.0/8', '10.0.0.0/8/8', '10.0.0.0/-1', '10.0.0.0/+8'],
  ...['localhost', 'example.com/8', '10.0.0.0-10.0.0.9', 'fe80::1%eth0', '010.0.0.1', '10.0.0.0 /8', '*'],
])("takes '%s' for none", (text) => {
  expect(parseAddressRange(text)).toBeUndefined()
})
