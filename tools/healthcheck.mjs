// Health check for the image, which has no curl: exits with 0 if the program on this port is ready.
const [port] = process.argv.slice(2);
try {
  const response = await fetch(`http://127.0.0.1:${port}/health/ready`, { signal: AbortSignal.timeout(4_000) });
  process.exitCode = response.ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}
