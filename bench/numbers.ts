// Statistics of samples. Medians and minimums, never means, because a single pause of the machine moves a mean.

export function percentile(samples: number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b)
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
  if (value === undefined) throw new Error('no samples')
  return value
}

export function median(samples: number[]): number {
  return percentile(samples, 0.5)
}

export function best(samples: number[]): number {
  return percentile(samples, 0)
}
