import { describe, expect, it } from 'vitest'
import { temporaryFolder } from './temporary-folder.ts'
import { jsonLines, openTestCli } from './terminal.ts'

const CSV = 'email,cause\nada@example.com,complaint\neve@example.com,bounce\nno address,bounce\n'

describe('rollcall suppression import', () => {
  const folder = temporaryFolder()

  it('takes addresses over, shows what it refused, and exits 3 for that', async () => {
    const { run } = openTestCli()
    const file = await folder.write('suppressed.csv', CSV)
    const report = folder.path('report.ndjson')
    const { exitCode, stdout } = await run(['suppression', 'import', file, '--report', report])
    expect(exitCode).toBe(3)
    expect(stdout).toBe(
      [
        'LINE  WHY IT WAS NOT IMPORTED',
        "4     'email': Give an address such as name@example.com.",
        '',
        'Imported            2',
        '  as blocked        1',
        '  as undeliverable  1',
        'Known already       0',
        'Refused             1',
        '',
      ].join('\n'),
    )
    expect(jsonLines(await folder.read('report.ndjson'))).toMatchObject([
      { line: 4, error: 'InvalidInput' },
      { rows: 3, imported: 2, refused: 1, interrupted: false },
    ])
  })

  it('says in a dry run what would happen, also to machines', async () => {
    const { run } = openTestCli()
    const argv = ['suppression', 'import', '-', '--format', 'csv', '--dry-run']
    const stdin = 'email,cause\nada@example.com,blocked\n'
    const { exitCode, stdout } = await run(argv, { stdin })
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringMatching(/^Would be imported +1\n/) })
    const summary = { rows: 1, imported: 1, unchanged: 0, refused: 0, blocked: 1, undeliverable: 0, interrupted: false }
    const printed = jsonLines((await run([...argv, '--json'], { stdin })).stdout)
    expect(printed).toEqual([{ ...summary, dry_run: true }])
  })
})
