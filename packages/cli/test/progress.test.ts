import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Progress } from '../src/progress.ts'
import { Screen } from './terminal.ts'

describe('progress', () => {
  it('says nothing about what is done soon', async () => {
    const screen = new Screen({ isTTY: true })
    const progress = new Progress(screen, { doing: 'Deleting', total: 2 })
    progress.advance()
    progress.advance()
    progress.stop()
    await sleep(1)
    expect(screen.text).toBe('')
  })

  it('shows a bar on a terminal and clears it away', async () => {
    const screen = new Screen({ isTTY: true })
    const progress = new Progress(screen, { doing: 'Deleting', total: 2, patience: 0 })
    progress.advance()
    await screen.shows('1 of 2')
    expect(screen.text).toMatch(/Deleting =+-+ 1 of 2/)
    progress.stop()
    expect(screen.text.endsWith('\u001b[2K')).toBe(true)
  })

  it('prints a plain line now and then where there is no terminal', async () => {
    const screen = new Screen()
    const progress = new Progress(screen, { doing: 'Deleting', total: undefined, patience: 0, pace: 1 })
    await screen.shows('Deleting: 0 so far\n')
    progress.advance()
    await screen.shows('Deleting: 1 so far\n')
    progress.stop()
    expect(screen.text).not.toContain('\u001b')
  })
})
