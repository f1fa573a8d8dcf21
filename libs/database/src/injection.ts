import 'reflect-metadata';
import { Inject } from '@nestjs/common/decorators/core/inject.decorator';

// Two decorators without the rest of Nest: the operators' command line has no container, and would load 550 files
// for nothing (160 ms of CPU).
export { Injectable } from '@nestjs/common/decorators/core/injectable.decorator';

/** `@InjectRepository` of `@nestjs/typeorm`, without loading that package. */
export function InjectRepository(entity: { name: string }): ParameterDecorator {
  return Inject(`${entity.name}Repository`);
}
