const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']
const MOST = 40

/** Numbers as a line of bars, the highest as high as a letter; of more than there is room for, neighbours share a bar. */
export const sparkline = (numbers: readonly number[]): string => {
  const share = Math.ceil(numbers.length / MOST)
  const bars: number[] = []
  for (let first = 0; first < numbers.length; first += share)
    bars.push(numbers.slice(first, first + share).reduce((sum, number) => sum + number, 0))
  const most = Math.max(1, ...bars)
  // Only nothing is as low as nothing.
  return bars.map((number) => BARS[Math.ceil((number / most) * (BARS.length - 1))]).join('')
}
