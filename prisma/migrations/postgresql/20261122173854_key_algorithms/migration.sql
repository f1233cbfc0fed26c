-- DropIndex
DROP INDEX "SigningKey_generation_key";

-- AlterTable
ALTER TABLE "SigningKey" ADD COLUMN     "algorithm" TEXT NOT NULL DEFAULT 'ES256',
ADD COLUMN     "leakedAt" TIMESTAMP(3);

-- CreateIndex
CREATE UNIQUE INDEX "SigningKey_algorithm_generation_key" ON "SigningKey"("algorithm", "generation");
