-- AlterTable
ALTER TABLE "Person" ADD COLUMN     "aliasesByHand" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "Alias" ADD COLUMN     "byHand" BOOLEAN NOT NULL DEFAULT false;
