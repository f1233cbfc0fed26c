-- AlterTable
ALTER TABLE "Person" ADD COLUMN     "knownVersion" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "Attempt" ADD COLUMN     "heldUntil" BIGINT NOT NULL DEFAULT 0;
