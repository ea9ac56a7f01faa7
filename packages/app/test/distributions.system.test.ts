import { describe, expect, it } from 'vitest'
import { chanceOf, type Rounds, seeded } from './distributions.ts'

const CLASSES = ['a', 'b', 'c', 'd', 'e', 'f', 'g']

/** Times such as a busy machine gives: mostly alike, some much longer, slower for a while. */
const roundsOf = (seed: number, change: (name: string, time: number) => number): Rounds => {
  const random = seeded(seed)
  const rounds = new Map(CLASSES.map((name): [string, number[]] => [name, []]))
  for (let round = 0; round < 300; round++) {
    const drift = Math.sin(round / 40)
    for (const [name, times] of rounds) {
      const noise = 0.2 * random() - 0.3 * Math.log(1 - random() * 0.99)
      times.push(change(name, 3 + drift + noise + (random() < 0.03 ? 10 * random() : 0)))
    }
  }
  return rounds
}

describe('the comparison of distributions', () => {
  it('finds nothing where there is nothing, but for the odd chance', () => {
    const chances = Array.from({ length: 10 }, (_, seed) =>
      chanceOf(
        roundsOf(seed, (_name, time) => time),
        0,
      ),
    )
    expect(chances.filter((chance) => chance <= 0.001)).toEqual([])
    expect(chances.filter((chance) => chance <= 0.2).length).toBeLessThan(7)
  })

  it.each([
    ['a shift of a fifth of a millisecond', (time: number) => time + 0.2],
    ['a class whose tail alone is longer', (time: number) => (time > 3.9 ? time + 0.8 : time)],
    ['a class that is quantised', (time: number) => Math.ceil(time)],
  ])('finds %s in one class of seven', (_, change) => {
    const rounds = roundsOf(7, (name, time) => (name === 'd' ? change(time) : time))
    expect(chanceOf(rounds, 0.05)).toBe(0.001)
  })

  it('finds a shift however small where none is negligible, and not where it is', () => {
    const rounds = new Map(CLASSES.map((name) => [name, Array.from({ length: 300 }, () => (name === 'd' ? 3.02 : 3))]))
    expect(chanceOf(rounds, 0)).toBe(0.001)
    expect(chanceOf(rounds, 0.05)).toBe(1)
  })
})
