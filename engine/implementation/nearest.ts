/**
 * A misspelt key and the keys that are known go in, the one that was meant comes out, if one is near enough to be told.
 */

/** The known word nearest to a misspelt one: up to two wrong letters, a third of them in long words; undefined when none is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const most = Math.max(2, Math.floor(word.length / 3));
  const [best] = known.map((candidate) => ({
    candidate,
    distance: distanceOf(word.toLowerCase(), candidate),
  }))
    .filter(({ candidate, distance }) => distance <= most && distance < candidate.length)
    .sort((a, b) => a.distance - b.distance);
  return best?.candidate;
}

/** How many letters have to be put in, taken out or replaced. */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [above, letter] of [...a].entries()) {
    const next = [above + 1];
    for (let at = 1; at <= b.length; at++) {
      const same = letter === b[at - 1];
      next.push(Math.min((row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1, (row[at - 1] ?? 0) + (same ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
