import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Progress, progressLine, stepsOf } from '../src/progress.ts'
import { Screen } from './terminal.ts'

describe('progress', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('says nothing about what is done soon', () => {
    const screen = new Screen({ isTTY: true })
    const progress = new Progress(screen, { doing: 'Deleting', total: 2 })
    progress.advance()
    progress.advance()
    vi.advanceTimersByTime(999)
    progress.stop()
    vi.advanceTimersByTime(60_000)
    expect(screen.text).toBe('')
  })

  it('shows one line on a terminal, with the parts that fit, and clears it away', () => {
    const screen = new Screen({ isTTY: true, columns: 20 })
    const progress = new Progress(screen, { doing: 'Deleting', total: 2 })
    progress.advance()
    vi.advanceTimersByTime(1_000)
    expect(screen.text).toBe('\rDeleting: 1 of 2\u001b[0K')
    progress.stop()
    expect(screen.text.endsWith('\r\u001b[0K')).toBe(true)
  })

  it('draws no line again that has not changed', () => {
    const screen = new Screen({ isTTY: true })
    const progress = new Progress(screen, { doing: 'Deleting', total: undefined })
    vi.advanceTimersByTime(3_000)
    expect(screen.text).toContain('Deleting: 0 so far, 0 a second')
    progress.stop()
    expect(screen.text.split('Deleting')).toHaveLength(2)
  })

  it('prints a plain line now and then where there is no terminal', () => {
    const screen = new Screen()
    const progress = new Progress(screen, { doing: 'Deleting', total: undefined })
    vi.advanceTimersByTime(1_000)
    progress.advance()
    vi.advanceTimersByTime(9_999)
    expect(screen.text).toBe('Deleting: 0 so far, 0 a second\n')
    vi.advanceTimersByTime(1)
    progress.stop()
    expect(screen.text).toBe(
      'Deleting: 0 so far, 0 a second\nDeleting: 1 so far, 0 a second\nDeleting: 1 so far, 0 a second\n',
    )
  })
})

describe('the steps of a run', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const begun = () => {
    const said: string[] = []
    return { said, steps: stepsOf({ remark: async (sentence) => void said.push(sentence) }) }
  }

  it('are said once it takes over a second', () => {
    const { said, steps } = begun()
    steps.at('Copying')
    vi.advanceTimersByTime(999)
    steps.at('Checking')
    expect(said).toEqual([])
    vi.advanceTimersByTime(1)
    steps.at('Checking')
    expect(said).toEqual(['Checking ...'])
    steps.at('Moving')
    expect(said).toEqual(['Checking ...', 'Moving ...'])
    steps.stop()
    steps.at('Another')
    steps.stop()
    vi.advanceTimersByTime(60_000)
    expect(said).toHaveLength(2)
  })

  it('are said when the next begins, if no timer ran meanwhile', () => {
    const { said, steps } = begun()
    steps.at('Copying')
    const later = performance.now() + 1_000
    const clock = vi.spyOn(performance, 'now').mockReturnValue(later)
    steps.at('Checking')
    clock.mockRestore()
    expect(said).toEqual(['Checking ...'])
    steps.stop()
  })
})

describe('a line of progress', () => {
  it.each([
    [25_000, 100_000, 'Deleting: 25000 of 100000, 5000 a second, 15 s left'],
    [0, 100_000, 'Deleting: 0 of 100000, 0 a second'],
    [0, 0, 'Deleting: 0 of 0, 0 a second'],
    [25_000, undefined, 'Deleting: 25000 so far, 5000 a second'],
  ])('shows %j of %j, how fast, and how long it will take', (done, total, expected) => {
    expect(progressLine({ doing: 'Deleting', done, total, seconds: 5 })).toBe(expected)
  })

  it.each([
    [100_000, 51, 'Deleting: 25000 of 100000, 5000 a second, 15 s left'],
    [100_000, 50, 'Deleting: 25000 of 100000, 15 s left'],
    [100_000, 35, 'Deleting: 25000 of 100000'],
    [100_000, 24, ''],
    [undefined, 37, 'Deleting: 25000 so far, 5000 a second'],
    [undefined, 36, 'Deleting: 25000 so far'],
  ])('of %j leaves out whole parts if there is room for %j characters', (total, width, expected) => {
    expect(progressLine({ doing: 'Deleting', done: 25_000, total, seconds: 5, width })).toBe(expected)
  })
})
