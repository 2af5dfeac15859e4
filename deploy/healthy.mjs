// Exits with 0 when the server of this machine or container answers, else with 1. The health check of the container
// image.
const timeoutMs = 2_500;
const url = `http://127.0.0.1:${process.env.PORT || 8787}/healthz`;

const answer = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) }).catch(() => null);
process.exitCode = answer?.ok ? 0 : 1;
