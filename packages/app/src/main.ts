console.error('not built yet')
process.exitCode = 1
