export function openapi(_c: unknown): object { return {}; }
