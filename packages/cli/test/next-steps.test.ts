import { describe, expect, it } from 'vitest'
import { nextSteps, type Situation } from '../src/next-steps.ts'
import { openTestCli } from './terminal.ts'

const FRESH: NonNullable<Situation['found']> = {
  database: '/srv/data/rollcall.db',
  state: 'missing',
  server: 'None runs at http://127.0.0.1:8080. Start it with `rollcall serve`.',
  mails: { folder: '/srv/data/mail' },
  page: 'http://127.0.0.1:8080/subscribe',
}

describe('what to do next', () => {
  it.each<[string, Partial<Situation>, readonly string[]]>([
    [
      'with nothing there',
      { found: FRESH },
      [
        'database  /srv/data/rollcall.db is not there yet: rollcall serve makes it',
        'rollcall serve`.',
        'mails     become files in /srv/data/mail',
        'token     rollcall token issue --subject me --role admin',
      ],
    ],
    [
      'with all there',
      {
        remote: 'https://other.example',
        found: {
          ...{ ...FRESH, state: 'ready', mails: { relay: 'smtp.example.com' }, issuer: 'https://id.example' },
          console: 'http://127.0.0.1:9090',
        },
      },
      [
        'commands  are carried out on https://other.example',
        'is ready: rollcall user list',
        'mails     go to smtp.example.com',
        'token     https://id.example issues them',
        'console   http://127.0.0.1:9090: rollcall console login',
      ],
    ],
    ['of an older version', { found: { ...FRESH, state: 'old' } }, ['is of an older version: rollcall migrate']],
    ['with a setting that is wrong', { trouble: 'ROLLCALL_PORT: no.' }, ['trouble   ROLLCALL_PORT: no.', 'doctor']],
  ])('is said in ten lines %s', (_, situation, expected) => {
    const text = nextSteps({ folder: '/srv', program: 'rollcall', ...situation }, '1.2.3')
    for (const part of ['Rollcall 1.2.3 in /srv\n', ...expected]) expect(text).toContain(part)
    expect(text.split('\n').length).toBeLessThanOrEqual(10)
  })

  it('is said to a person, for `rollcall` alone', async () => {
    const { run } = openTestCli({ situation: async () => ({ folder: '/srv', program: 'npx rollcall', found: FRESH }) })
    const ran = await run([], { answers: [] })
    expect(ran).toEqual({
      exitCode: 0,
      stdout: `${nextSteps({ folder: '/srv', program: 'npx rollcall', found: FRESH }, '1.2.3')}\n`,
      stderr: '',
    })
    expect(ran.stdout).toContain('Rollcall 1.2.3 in /srv; type npx rollcall for rollcall\n')
    expect((await run([])).exitCode).toBe(2)
  })
})
