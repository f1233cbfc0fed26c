ALTER TABLE "SigningKey" ADD COLUMN "algorithm" TEXT NOT NULL DEFAULT 'ES256';
ALTER TABLE "SigningKey" ADD COLUMN "leakedAt" DATETIME;
DROP INDEX "SigningKey_generation_key";
CREATE UNIQUE INDEX "SigningKey_algorithm_generation_key" ON "SigningKey"("algorithm", "generation");
