import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

const CHECK = path.join(import.meta.dirname, 'healthcheck.cjs')

const hasIpv6 = Object.values(os.networkInterfaces()).some((of) => of?.some(({ family }) => family === 'IPv6'))

it.each([
  ['0.0.0.0', '0.0.0.0'],
  ...(hasIpv6
    ? [
        ['::', '::'],
        ['::1', '::1'],
        // Longer, but the same one.
        ['::1', '0:0:0:0:0:0:0:1'],
      ]
    : []),
])('asks a service that listens on %s, set as %s, whether it is ready', async (address, host) => {
  const server = createServer((_, answer) => answer.end('ready')).listen(0, address)
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const env = { ROLLCALL_HOST: host, ROLLCALL_PORT: String(port) }
  const child = spawn(process.execPath, [CHECK], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const [code] = await once(child, 'close')
  expect([code, said]).toEqual([0, 'ready'])
})
