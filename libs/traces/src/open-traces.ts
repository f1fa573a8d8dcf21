import { NO_TRACES, type Traces } from './traces';

/** Sends traces to an OTLP/HTTP endpoint. Without an endpoint, OpenTelemetry's packages are not loaded. */
export async function openTraces(service: string, endpoint: string | null): Promise<Traces> {
  if (endpoint === null) return NO_TRACES;
  const { OtlpTraces } = await import('./otlp-traces.ts');
  return new OtlpTraces(service, endpoint);
}
