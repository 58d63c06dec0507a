/** Bytes to be read by people: in JSON, with long repetitions cut. */
export function abbreviate(bytes: string): string {
  return JSON.stringify(
    bytes.replaceAll(/(.{1,20}?)\1{9,}/gs, (run, unit: string) => `${unit}{${run.length / unit.length}}`),
  ).slice(0, 5000)
}
