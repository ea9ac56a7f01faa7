import { expect, it } from 'vitest'
import { isKnownHost } from '../src/metrics/is-known-host.ts'

it('knows the name that is configured, in any case and with any port, and no other', () => {
  for (const host of ['rollcall', 'rollcall:9100', 'RollCall', '10.0.0.7:9100', '[fd00::7]:9100', 'localhost'])
    expect([host, isKnownHost(host, 'Rollcall')]).toEqual([host, true])
  const others = ['rollcall.evil.example', 'evil.example', 'rollcall:x', 'user@rollcall', '', undefined, '[10.0.0.7]']
  for (const host of others) expect([host, isKnownHost(host, 'rollcall')]).toEqual([host, false])
})
