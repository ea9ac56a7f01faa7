import { describe, expect, it } from 'vitest'
import { ReachableAddresses } from '../src/reachable-addresses.ts'
import { ranges } from './cast.ts'

const PUBLIC = [
  ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '93.184.215.14', '100.63.255.255', '100.128.0.0'],
  ...['126.255.255.255', '128.0.0.1', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0'],
  ...['192.0.1.0', '192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0', '223.255.255.255'],
  ...['2606:4700:4700::1111', '2001:4860:4860::8888', '2a00:1450:4001::1', '2400::1', '2001:200::1'],
]

const NOT_PUBLIC: readonly [what: string, addresses: readonly string[]][] = [
  ['this host', ['0.0.0.0', '0.1.2.3', '::']],
  ['loopback', ['127.0.0.1', '127.255.255.254', '::1']],
  ['private', ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.255.255']],
  ['unique local', ['fc00::1', 'fd00::1', 'fdff:ffff::1']],
  ['carrier-grade NAT', ['100.64.0.1', '100.127.255.255']],
  ['link-local', ['169.254.0.1', '169.254.255.255', 'fe80::1', 'febf::1', 'fe80::1%eth0']],
  ['site-local', ['fec0::1']],
  ['metadata of clouds', ['169.254.169.254', '100.100.100.200', '192.0.0.192', '168.63.129.16', 'fd00:ec2::254']],
  ['protocol assignments', ['192.0.0.8', '192.0.0.170', '2001::1', '2001:1::1', '2001:10::1', '2001:20::1']],
  ['documentation', ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1']],
  ['benchmarks', ['198.18.0.1', '198.19.255.255', '2001:2::1']],
  ['AS 112, relays', ['192.31.196.1', '192.52.193.1', '192.88.99.1', '192.175.48.1', '2620:4f:8000::1']],
  ['multicast', ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1']],
  ['reserved, broadcast', ['240.0.0.1', '255.255.255.255']],
  ['IPv4-mapped', ['::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:7f00:1', '::ffff:169.254.169.254', '::ffff:8.8.8.8']],
  ['IPv4-compatible and translated', ['::127.0.0.1', '::10.0.0.1', '::ffff:0:127.0.0.1']],
  ['NAT64', ['64:ff9b::7f00:1', '64:ff9b::10.0.0.1', '64:ff9b:1::a00:1']],
  ['6to4 and Teredo', ['2002:7f00:1::1', '2002:a9fe:a9fe::1', '2001:0:7f00:1::1']],
  ['discard-only, segment routing', ['100::1', '100:0:0:1::1', '5f00::1']],
  ['not given out', ['4000::1', '8000::1', 'e000::1', '1000::1']],
  ['no address at all', ['', 'localhost', '127.1', '0x7f.0.0.1', '2130706433', '010.0.0.1', '1.1.1.1.', ' 1.1.1.1']],
]

describe('addresses', () => {
  const standard = new ReachableAddresses([])

  it.each(PUBLIC)('that are public are reached: %s', (address) => {
    expect(standard.isReachable(address)).toBe(true)
    expect(standard.isAllowed(address)).toBe(false)
  })

  it.each(NOT_PUBLIC.flatMap(([what, addresses]) => addresses.map((address) => [what, address] as const)))(
    'that are not public are not reached (%s): %s',
    (_what, address) => {
      expect(standard.isReachable(address)).toBe(false)
    },
  )

  it('that are allowed are reached, and none beside them', () => {
    const own = new ReachableAddresses(ranges('10.1.0.0/16', '192.168.7.7', 'fd00:1::/32', '::1'))
    for (const address of ['10.1.0.1', '10.1.255.255', '192.168.7.7', 'fd00:1:2::3', '::1', '::ffff:10.1.0.1']) {
      expect(own.isReachable(address), address).toBe(true)
      expect(own.isAllowed(address), address).toBe(true)
    }
    for (const address of ['10.2.0.1', '192.168.7.8', 'fd00:2::1', '::2', '127.0.0.1', '169.254.169.254', ''])
      expect(own.isReachable(address), address).toBe(false)
    expect(own.isReachable('8.8.8.8')).toBe(true)
  })
})
