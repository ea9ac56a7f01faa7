import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../packages/app/test/free-port.ts'
import { openBrowser } from '../../packages/http-koa/test/support/open-browser.ts'
import { commandsOn, startUntil } from './running.ts'
import { Stranger, Tarballs } from './stranger.ts'

const NAMES = { node: 'Node.js', deno: 'Deno', bun: 'Bun' }

let tarballs: Tarballs
let project: Stranger
let blocks: ReturnType<typeof commandsOn>
let story: string

beforeAll(async () => {
  tarballs = await Tarballs.pack()
  project = await Stranger.beside(tarballs, path.join(import.meta.dirname, '../runtimes'))
  blocks = commandsOn(await project.read('README.md'))
  const [install, ...runs] = blocks[0]?.command.split('\n') ?? []
  expect(runs).toEqual(Object.keys(NAMES).map((name) => `npm run ${name} --silent`))
  await project.run('bash', '-ec', `${install} --no-audit --no-fund --loglevel=error`)
  story = blocks[0]?.printed ?? ''
})
afterAll(async () => {
  await project[Symbol.asyncDispose]()
  await tarballs.remove()
})

describe.each(Object.keys(NAMES) as (keyof typeof NAMES)[])('%s', (runtime) => {
  it('runs the core', async () => {
    expect(story).toMatch(/confirmed[\s\S]*deleted/)
    expect(await project.run('npm', 'run', runtime, '--silent')).toBe(story)
  })

  it('runs every contract suite', async () => {
    expect(blocks[1]?.command.split('\n')).toContain(`npm run test:${runtime}`)
    await project.run('npm', 'run', `test:${runtime}`, '--', '--reporter=json', '--outputFile=report.json')
    const { success, numPassedTests, numTotalTests, testResults } = JSON.parse(await project.read('report.json'))
    expect([success, numPassedTests]).toEqual([true, numTotalTests])
    expect(numTotalTests).toBeGreaterThan(350)
    expect(testResults[0].assertionResults[0].ancestorTitles[0]).toBe(`in memory, on ${NAMES[runtime]}`)
  })
})

it('runs in workerd', async () => {
  const address = `127.0.0.1:${await freePort()}`
  const command = `npm run workerd -- --socket-addr=http=${address}`
  await using _ = await startUntil(project, `http://${address}`, command)
  expect(await (await fetch(`http://${address}`)).text()).toBe(story)
})

it('runs in a browser', async () => {
  await project.run('npm', 'run', 'browser')
  const site = createServer(async ({ url = '' }, response) => {
    const file = url === '/' ? 'index.html' : url.slice(1)
    const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' }
    const type = types[path.extname(file)]
    if (type === undefined) response.writeHead(404).end()
    else response.setHeader('Content-Type', type).end(await project.read(file))
  }).listen(0, '127.0.0.1')
  await once(site, 'listening')
  const browser = await openBrowser({ 'core.example': (site.address() as AddressInfo).port })
  try {
    const page = await browser.newPage()
    const lines: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'log') lines.push(`${message.text()}\n`)
    })
    page.on('pageerror', (error) => lines.push(String(error)))
    await page.goto('http://core.example/')
    await expect.poll(() => lines.join('')).toBe(story)
  } finally {
    await browser.close()
    site.close()
  }
})
