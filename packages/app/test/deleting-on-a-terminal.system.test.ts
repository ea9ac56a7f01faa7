import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { PseudoTerminal, type TerminalOptions } from './pseudo-terminal.ts'
import { Home } from './running-service.ts'
import { seedUsers } from './seed-users.ts'

const CTRL_C = '\u0003'
const INTERRUPTED = 130
const ONE = 'Delete this user permanently?'
const MANY = 'Type 2 to delete them:'

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
const COLOUR = /\u001b\[[\d;]*m/

const rollcall = (home: Home, args: readonly string[], options?: TerminalOptions) =>
  new PseudoTerminal(home, ['user', 'delete', ...args], options)

const usersOf = async (home: Home): Promise<string[]> => {
  const { items } = JSON.parse((await home.run('user', 'list', '--json')).stdout)
  return items.map(({ id }: { id: string }) => id)
}

describe('rollcall user delete on a terminal', () => {
  it('deletes no user and exits 130 on Ctrl-C while it asks for a number', async () => {
    await using home = await Home.make()
    await seedUsers(home, 2)
    await using terminal = rollcall(home, ['user-0', 'user-1'])
    await terminal.shows(MANY)
    terminal.type(CTRL_C)
    expect(await terminal.ended).toBe(INTERRUPTED)
    expect(terminal.lines.join('\n')).toContain('error: Interrupted. Nothing was changed.')
    expect(await usersOf(home)).toHaveLength(2)
  })

  it('finishes what is in hand, clears the progress away, reports and exits 130 on Ctrl-C while it deletes', async () => {
    await using home = await Home.make()
    const list = path.join(home.folder, 'ids')
    await writeFile(list, (await seedUsers(home, 3_000)).join('\n'))
    await using terminal = rollcall(home, ['--from', list], { columns: 40 })
    await terminal.shows('Type 3000 to delete them:')
    const other = new DatabaseSync(path.join(home.folder, 'data/rollcall.db'))
    try {
      // So long that there is something to see.
      other.exec('BEGIN IMMEDIATE')
      terminal.type('3000\r')
      await terminal.shows('Deleting: ')
      terminal.type(CTRL_C)
      await terminal.shows('^C')
    } finally {
      other.close()
    }
    expect(await terminal.ended).toBe(INTERRUPTED)
    const lines = terminal.lines
    const left = await usersOf(home)
    expect(left).not.toHaveLength(0)
    expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^Deleted +${3_000 - left.length}$`)))
    expect(lines.findLast((line) => line !== '')).toMatch(/^error: Interrupted\. Run the same command again/)
  })

  it('ends at once on a second Ctrl-C, whatever it waits for', async () => {
    await using home = await Home.make()
    await seedUsers(home, 2)
    const other = new DatabaseSync(path.join(home.folder, 'data/rollcall.db'))
    try {
      await using terminal = rollcall(home, ['user-0', 'user-1'])
      await terminal.shows(MANY)
      // Another process that never lets go: the first Ctrl-C would wait for it, patiently.
      other.exec('BEGIN IMMEDIATE')
      terminal.type('2\r')
      // The first asks it to end in order; every later one is the second, however late it looks at them.
      const over = terminal.ended.then(() => true)
      while (!(await Promise.race([over, sleep(500)]))) terminal.type(CTRL_C)
      expect(await terminal.ended).toBe(INTERRUPTED)
      expect(terminal.shown).not.toContain('Unavailable')
    } finally {
      other.close()
    }
    expect(await usersOf(home)).toHaveLength(2)
  })

  it('has colours, and none with NO_COLOR, also where it asks for one user, which ends at Ctrl-C', async () => {
    await using home = await Home.make()
    await seedUsers(home, 2)
    for (const [env, coloured] of [
      [{}, true],
      [{ NO_COLOR: '1' }, false],
    ] as const) {
      await using table = rollcall(home, ['user-0', 'user-1', '--dry-run'], { env })
      expect(await table.ended).toBe(0)
      await using question = rollcall(home, ['user-0'], { env })
      await question.shows(ONE)
      question.type(CTRL_C)
      expect(await question.ended).toBe(INTERRUPTED)
      for (const { shown } of [table, question]) expect(COLOUR.test(shown)).toBe(coloured)
    }
  })
})
