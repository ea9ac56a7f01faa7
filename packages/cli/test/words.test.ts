import { describe, expect, it } from 'vitest'
import { suggestionsFor } from '../src/words.ts'
import { openTestCli } from './terminal.ts'

describe('a word that is not known', () => {
  it.each([
    ['lst', ['list'], ['list']],
    ['undelete', ['delete'], []],
    ['unset', ['set'], []],
    ['deliverable', ['undeliverable'], []],
    ['undeliverble', ['undeliverable'], ['undeliverable']],
    ['--with-tombstones', ['--without-tombstones'], []],
    ['--without-tombstone', ['--without-tombstones'], ['--without-tombstones']],
    ['--no-add-role', ['--add-role'], []],
  ])('%s, near to %j: %j', (word, near, expected) => {
    expect(suggestionsFor(word, near)).toEqual(expected)
  })
})

describe('the command line', () => {
  it('takes the usual words for its own', async () => {
    const { run, putUser } = openTestCli()
    await putUser('ada')
    expect((await run(['user', 'ls'])).stdout).toContain('ada@example.com')
    expect((await run(['user', 'get', 'ada'])).stdout).toContain('ada@example.com')
    expect((await run(['help', 'user', 'rm'])).stdout).toContain('Usage: rollcall user delete')
    for (const word of ['rm', 'remove']) {
      await putUser(word)
      expect((await run(['user', word, word, '--yes'])).stdout).toMatch(/^Deleted user /)
    }
    expect((await run(['token', 'create', '--subject', 'me'])).exitCode).toBe(0)
  })

  it.each([
    ['user', ['--email', 'bob@example.com'], ['user', 'show', 'bob', '--json'], { name: '' }],
    ['feed', [], ['feed', 'show', 'bob', '--json'], { name: 'bob' }],
    ['webhook', ['--url', 'https://example.com/'], ['webhook', 'show', 'bob', '--json'], { name: 'bob' }],
  ])('creates a %s by add and by create, and replaces none', async (noun, options, show, expected) => {
    const { run } = openTestCli()
    const created = await run([noun, 'create', 'bob', ...options])
    expect([created.stderr, created.exitCode]).toEqual(['', 0])
    const before = JSON.parse((await run(show)).stdout)
    expect(before).toMatchObject(expected)
    for (const word of ['add', 'create']) {
      const { exitCode, stderr } = await run([noun, word, 'bob', ...options, '--yes'])
      expect(stderr).toBe(
        `error: There is a ${noun} bob already. \`rollcall ${noun} set\` changes it, \`rollcall ${noun} put\` replaces it.\n`,
      )
      expect(exitCode).toBe(3)
    }
    expect(JSON.parse((await run(show)).stdout)).toEqual(before)
  })
})
