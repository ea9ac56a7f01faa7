import { describe, expect, it } from 'vitest'
import { openTestCli } from './terminal.ts'

describe('rollcall completion', () => {
  it('exits 2 for a shell that it does not know, and says how to install a script', async () => {
    const { run: command } = openTestCli()
    expect(await command(['completion', 'tcsh'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('Allowed choices are bash, zsh, fish'),
    })
    const help = (await command(['completion', '--help'])).stdout.replace(/\s+/g, ' ')
    expect(help).toContain('source <(rollcall completion bash)')
    expect(JSON.parse((await command(['completion', 'bash', '--json'])).stdout)).toMatchObject({ shell: 'bash' })
  })
})
