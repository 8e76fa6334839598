/** Splits an amount in cents over its lines so that no cent is lost or made. */
export function spread(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((all, one) => all + one, 0)
  if (sum === 0) throw new RangeError('there is nothing to spread over')
  const parts = weights.map((weight) => Math.floor((total * weight) / sum))
  let left = total - parts.reduce((all, one) => all + one, 0)
  // The largest lines take the cents that remain, one each, because there nobody notices.
  const order = weights.map((_, at) => at).sort((a, b) => weights[b]! - weights[a]!)
  for (const at of order) {
    if (left === 0) break
    parts[at]! += 1
    left -= 1
  }
  return parts
}
