import { defineConfig } from 'vitest/config'

// An ordinary Vitest config under the name that says what it is. `root` is what lets a package's own
// `npm test` find the projects from its own directory.
export default defineConfig({
  root: import.meta.dirname,
  test: {
    projects: ['packages/*', 'architecture', 'examples', 'reliability'],
    reporters: ['default', ['json', { outputFile: 'node_modules/.cache/vitest/results.json' }]],
  },
})
