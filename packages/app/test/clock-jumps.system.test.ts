import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { administered } from './administered.ts'
import { eventually } from './eventually.ts'
import { MailSink } from './mail-sink.ts'
import { Home, type Process } from './running-service.ts'

const HOUR = 3_600_000
const YEAR = 365 * 24 * HOUR
const MOVING_CLOCK = path.join(import.meta.dirname, 'moving-clock.ts')
/** Longer than from one look for deleted users whose grace is over to the next. */
const A_ROUND_OF_ERASING = 6_000

const setClock = async (home: Home, clock: { readonly offset: number; readonly speed?: number }): Promise<void> =>
  await writeFile(path.join(home.folder, 'clock'), JSON.stringify(clock))

const mailed = async (sink: MailSink, count: number): Promise<number[]> => {
  await eventually(() => sink.byAddress().size >= count, `that ${count} mails have come`)
  // A second one would come within this time, if at all.
  await sleep(1_500)
  return [...new Set(sink.mails.map(({ to }) => sink.mails.filter((mail) => mail.to === to).length))]
}

it('sends nothing twice, loses no mail and erases no user where the clock jumps to and fro', async () => {
  await using sink = await MailSink.open()
  await using home = await Home.make({ SMTP_URL: sink.url, DELETE_GRACE: '1d' }, MOVING_CLOCK)
  const server = await home.serve()
  const { ask, putUser } = await administered(home)
  const noticed = () => server.stdout.split(/"the clock (?:jumped ahead|was set back)/).length
  const jumpTo = async (offset: number): Promise<void> => {
    const before = noticed()
    await setClock(home, { offset })
    server.child.kill('SIGUSR2')
    await eventually(() => noticed() > before, 'that the jump is noticed')
    expect(noticed()).toBe(before + 1)
  }
  expect(await putUser('ada')).toMatchObject({ status: 201 })
  expect(await ask('DELETE', '/users/ada')).toMatchObject({ status: 204 })

  // Each jump meets mails that are being sent.
  sink.delay = 700
  const offsets = [HOUR, 0, -HOUR, 0, YEAR, 0, -YEAR, 0]
  for (const [n, offset] of offsets.entries()) {
    for (let person = 0; person < 4; person++)
      expect((await home.signUp(`person-${n}-${person}@example.com`)).status).toBe(200)
    await jumpTo(offset)
  }
  // What a jump has made look slow is put off by a minute.
  await setClock(home, { offset: 0, speed: 20 })
  server.child.kill('SIGUSR2')
  expect(await mailed(sink, 4 * offsets.length)).toEqual([1])
  expect(sink.byAddress().size).toBe(4 * offsets.length)

  await jumpTo(YEAR)
  await sleep(A_ROUND_OF_ERASING)
  await jumpTo(0)
  expect(await ask('POST', '/users/ada/restore', {})).toMatchObject({ status: 200 })
  expect(await server.kill('SIGTERM')).toMatchObject({ code: 0 })
})

it('goes on as if nothing had been where the process was stopped and continued under load', async () => {
  await using sink = await MailSink.open()
  await using home = await Home.make({ SMTP_URL: sink.url }, MOVING_CLOCK)
  const server: Process = await home.serve()
  sink.delay = 500
  const asked = Array.from({ length: 20 }, (_, n) => home.signUp(`person-${n}@example.com`))
  await sleep(50)
  server.child.kill('SIGSTOP')
  asked.push(...Array.from({ length: 20 }, (_, n) => home.signUp(`later-${n}@example.com`)))
  // By its clock it was two minutes: longer than any lease.
  await setClock(home, { offset: 120_000 })
  await sleep(1_000)
  server.child.kill('SIGUSR2')
  server.child.kill('SIGCONT')
  expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([200]))
  // What it has made look slow is put off by a minute.
  await setClock(home, { offset: 120_000, speed: 20 })
  server.child.kill('SIGUSR2')
  expect(await mailed(sink, 40)).toEqual([1])
  expect(await server.kill('SIGTERM')).toMatchObject({ code: 0 })
})
